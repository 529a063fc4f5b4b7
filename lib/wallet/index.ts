export { answerWithin } from './answer-within';
export { cancelRound } from './cancel-round';
export {
  type CallOutcome,
  type DoTransactionsPorts,
  doTransactions,
} from './do-transactions';
export { type Clock, type DiscountCheck, type Logger, silentLogger, systemClock } from './ports';
export type {
  Account,
  AccountsResult,
  AttentionEntry,
  BlockResult,
  CashOrder,
  CashRefusal,
  CashResult,
  CommitResult,
  LoadResult,
  NewPlayer,
  OpenPlayerResult,
  PlayerKey,
  RoundKey,
  RoundReport,
  RoundSnapshot,
  Unknown,
  WalletStore,
} from './wallet-store';
