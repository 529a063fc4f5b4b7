export { type RunningTotals, startTotals, type TotalsOptions } from './keep';
