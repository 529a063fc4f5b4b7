export {
  type ErrorCode,
  type ErrorEntry,
  type ErrorObject,
  type ErrorOverrides,
  errorCatalogue,
} from './protocol/operator-api';
export { StoreUnavailableError, StoreUnsafeError } from './operator/wallet';
export type { RgsClient, RgsClientOptions } from './operator/client';
export type {
  BalanceRequest,
  CallEvent,
  FreePlays,
  HookJson,
  OperatorOptions,
  TransactionEvent,
} from './operator/http/configuration';
export { createOperatorHandler, type OperatorHandler, type RequestListener } from './operator/http';
export {
  createOperatorRouter,
  createServer,
  type ExpressApp,
  type OperatorRouter,
  type ServerOptions,
} from './operator/express';
export type { OperatorCredentials } from './operator/http/configuration';
export type {
  CreditRecord,
  DebitRecord,
  EndRecord,
  HashEntry,
  MoneyPolicy,
  Movement,
  MovementRefusal,
  NewRecord,
  PendingPost,
  PendingWork,
  RecordedOutcome,
  RoundChange,
  RoundHead,
  RoundState,
  RoundView,
  TransactionRecord,
  VoidRecord,
} from './operator/gameround';
export {
  type AmountInput,
  formatAmount,
  type Purse,
  parseAmount,
  type Units,
} from './protocol/money';
export type {
  Call,
  Credit,
  Debit,
  End,
  Transaction,
  TransactionType,
  Void,
} from './protocol/operator-api';
export {
  createLedgerStore,
  type LedgerStore,
  type LedgerStoreOptions,
  type SettleOptions,
  type Settlement,
  type Sweeper,
  type SweeperOptions,
  type SweepReport,
  startSweeper,
} from './operator/ledger';
export { createMemoryStore, type MemoryStoreOptions } from './operator/stores/memory';
export type {
  Account,
  AccountStore,
  AccountsResult,
  AttentionEntry,
  BlockResult,
  CashOrder,
  CashRefusal,
  CashResult,
  CommitResult,
  DiscountCheck,
  Ledger,
  LedgerCredit,
  LedgerDebit,
  LedgerDone,
  LedgerPosting,
  LedgerRefused,
  LedgerReversal,
  LoadResult,
  NewPlayer,
  OpenPlayerResult,
  PlayerKey,
  ReadPlayerResult,
  RoundJournal,
  RoundKey,
  RoundReport,
  RoundSnapshot,
  Unknown,
  WalletStore,
} from './operator/wallet';
export type { Clock, Logger } from './platform';
