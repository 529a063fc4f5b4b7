export {
  type Answer,
  described,
  readAnswer,
  totalOf,
  unitsOf,
  decimals,
  exactly,
  type Transaction,
  unitsInOne,
  voidOf,
} from './answer';
export {
  given,
  must,
  mustAnswer,
  mustBeRefused,
  mustSay,
  mustSucceed,
  type Refusal,
  verdictOf,
  CaseFailure,
  NotTried,
  Undecided,
} from './expect';
export {
  createRound,
  type Round,
  type CaseContext,
  type KeptForTheEnd,
  type LoadSlice,
  type LongCases,
  type PostOptions,
} from './context';
