export { type Answer, type BalanceEntry, described, readAnswer, totalOf, unitsOf } from './answer';
export {
  given,
  must,
  mustAnswer,
  mustBeRefused,
  mustSay,
  mustSucceed,
  type Refusal,
  verdictOf,
} from './expect';
export { createRound, type Round } from './round';
export type { CaseContext, LongCases, PostOptions, RoundOptions } from './context';
export {
  type Amount,
  decimals,
  exactly,
  type Transaction,
  unitsInOne,
  voidOf,
} from './transactions';
export { CaseFailure, NotTried, Undecided } from './verdict';
