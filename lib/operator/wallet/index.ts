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
export { cancelRound } from './cancel-round';
export type { DiscountCheck } from './discount-check';
export { type CallOutcome, doTransactions, type DoTransactionsPorts } from './do-transactions';
export type {
  Ledger,
  LedgerCredit,
  LedgerDebit,
  LedgerDone,
  LedgerPosting,
  LedgerRefused,
  LedgerReversal,
} from './ledger';
export type { PlayerKey, RoundKey } from './round-key';
export type { RoundJournal } from './round-journal';
export {
  createRoundReport,
  type PurseJson,
  type RoundJson,
  type RoundReport,
  type TransactionJson,
} from './round-report';
export { StoreUnavailableError, StoreUnsafeError } from './store-errors';
export type {
  Account,
  AccountsResult,
  AttentionEntry,
  CommitResult,
  LoadResult,
  RoundSnapshot,
  Unknown,
  WalletStore,
} from './store';
export { unknownIfLate } from './unknown-if-late';
