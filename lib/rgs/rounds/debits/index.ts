export { startOrAddDebit } from './added';
export { start } from './start';
