export {
  type Answered,
  answerOf,
  type CallFinding,
  callFindingRules,
  type Change,
  type Changed,
  type Decision,
  type Refused,
  type TryFirst,
} from './decision';
export {
  type Context,
  defaultSettings,
  type Lookup,
  type Offer,
  type OfferedStakes,
  type Readings,
  type RoundSettings,
  type Session,
} from './context';
export { decideOnRound, spinsAvailable } from './round-call';
export {
  decideQuery,
  decideToken,
  freePlaysReturned,
  protectedInfoOf,
  replyOf,
  type RoundReply,
} from './query';
export { resolve } from './end';

export { start, startOrAddDebit } from './start';
export {
  type Ages,
  type AnswerEffect,
  applyAnswer,
  type Batching,
  defaultAges,
  isPastMaxAge,
  janitorWork,
  type JanitorWork,
  nextCall,
  recover,
  refusalBy,
} from './delivery';
export { apply, applyAll } from './apply';
export type {
  CreditDue,
  DebitDue,
  Discount,
  Due,
  EndDue,
  Entry,
  Owner,
  Refusal,
  Round,
  RoundCredit,
  RoundDebit,
  RoundState,
  SpinCounter,
  VoidDue,
} from './round';
export type { RoundEvent } from './event';
