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
export { attemptsAtOnce, nextAttempt, type Repeat } from './repeat';
export {
  type Finding,
  type RoundEffect,
  type SentCall,
  type SentTransaction,
  type Settled,
  type Settlement,
  settle,
} from './settle';
export { voidOf } from './void';
