export { load } from './fixed-rate';
