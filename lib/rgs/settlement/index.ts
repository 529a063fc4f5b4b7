export {
  type Answer,
  cut,
  type ListedHash,
  type Meaning,
  meaningOf,
  readReply,
  type ReplyBody,
  timeOut,
  type WalletError,
} from './answer';
export { type Fate, type FindingCode, findingRules } from './fate';
export {
  attemptsAtOnce,
  type Finding,
  nextAttempt,
  type Repeat,
  type RoundEffect,
  type SentCall,
  type SentTransaction,
  settle,
  type Settled,
  type Settlement,
  voidOf,
} from './settle';
