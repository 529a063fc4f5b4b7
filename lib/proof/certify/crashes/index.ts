export { crashes } from './kills';
