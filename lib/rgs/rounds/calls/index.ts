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
export {
  type Answered,
  answerOf,
  type Change,
  type Changed,
  type Decision,
  type Refused,
  type TryFirst,
} from './decision';
export { type CallFinding, callFindingRules } from './finding';
export { resolve } from './person';
export { decideQuery, decideToken } from './query';
export { decideOnRound } from './round-call';
export { spinsAvailable } from './spins';
