export { histories } from './random-histories';
