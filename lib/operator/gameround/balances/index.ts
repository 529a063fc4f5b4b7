export { decisionAfter, linesAfter, type LineAfter } from './after';
export {
  type CommitNote,
  compareLines,
  type KeptBalances,
  noteOf,
  type RoundLine,
} from '../balances';
