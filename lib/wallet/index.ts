export type {
  AccountStore,
  BlockResult,
  CashOrder,
  CashRefusal,
  CashResult,
  NewPlayer,
  OpenPlayerResult,
  ReadPlayerResult,
} from './account-store';
export { answerWithin } from './answer-within';
export { cancelRound } from './cancel-round';
export {
  type CallOutcome,
  type DoTransactionsPorts,
  doTransactions,
} from './do-transactions';
export type {
  Ledger,
  LedgerCredit,
  LedgerDebit,
  LedgerDone,
  LedgerPosting,
  LedgerRefused,
  LedgerReversal,
} from './ledger';
export { type Clock, type DiscountCheck, type Logger, silentLogger, systemClock } from './ports';
export type { RoundJournal } from './round-journal';
export type {
  Account,
  AccountsResult,
  AttentionEntry,
  CommitResult,
  LoadResult,
  PlayerKey,
  RoundKey,
  RoundReport,
  RoundSnapshot,
  Unknown,
  WalletStore,
} from './wallet-store';
