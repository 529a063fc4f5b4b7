export type {
  Account,
  BlockAct,
  BlockRecord,
  BlockResult,
  BlocksResult,
  CashOrder,
  CashRefusal,
  CashResult,
  CorrectionOrder,
  NewPlayer,
  OpenPlayerResult,
  Players,
  ReadPlayerResult,
} from './players';
export {
  type AccountBooks,
  type Actor,
  booksDifference,
  type BooksQuery,
  type CashKind,
  cashKinds,
  type CashMovement,
  type CashPageResult,
  type CashQuery,
  openingReference,
} from './cash';
export { cancelRound } from './cancel-round';
export type { DiscountCheck } from './discount-check';
export {
  type CallOutcome,
  type CommitRepeat,
  doTransactions,
  type DoTransactionsPorts,
} from './do-transactions';
export type {
  Ledger,
  LedgerCredit,
  LedgerDebit,
  LedgerDone,
  LedgerPosting,
  LedgerRefused,
  LedgerReversal,
  PostedQuery,
  PostedRound,
} from './ledger';
export {
  type Act,
  type BlockEvent,
  type CashEvent,
  type ConsumerLag,
  createActEvent,
  type EventBatch,
  type EventSource,
  type EventsRequest,
  eventTypes,
  UnknownConsumerError,
  type WalletEvent,
  type WrittenAct,
} from './events';
export {
  changedRepairs,
  type CommittedChange,
  createRoundEvent,
  createRoundPointer,
  type MovementJson,
  type RepairChangeJson,
  type RoundEvent,
} from './round-event';
export {
  type KeptReconciliation,
  longestReconciliation,
  reconciliationDays,
  type Reconciliations,
  type ReconciliationSource,
  reconciliationSources,
} from './reconciliations';
export type { PlayerKey, RoundKey } from './round-key';
export {
  type AttentionEntry,
  createAttentionEntry,
  createRepairEntry,
  createRoundSummary,
  type FindRoundResult,
  type HistoryOff,
  type RepairEntry,
  type RepairList,
  type RepairsPageResult,
  type RepairsQuery,
  type RoundByHash,
  type RoundHistory,
  type RoundLists,
  type RoundsPageResult,
  type RoundsQuery,
  type RoundSummary,
} from './round-history';
export {
  type AccountJson,
  createRoundReport,
  type PurseJson,
  type RepairJson,
  type RoundJson,
  type RoundReport,
  type TransactionJson,
} from './round-report';
export {
  InvalidInputError,
  type MoneyPlace,
  OtherDecimalsError,
  OtherMoneyError,
  StoreUnavailableError,
  StoreUnsafeError,
} from './store-errors';
export {
  type AccountsResult,
  type AccountStore,
  type Around,
  aroundRounds,
  type CommitResult,
  type FollowResult,
  type FullStore,
  type JournalLists,
  type LoadResult,
  type RoundJournal,
  type Rounds,
  type RoundSnapshot,
  type StoreServer,
  type Unknown,
  type WalletStore,
  type Written,
} from './store';
export type { KeptBalances } from '../gameround/balances';
export { toError, unknownIfLate } from './attempts';
export {
  type Totals,
  type TotalsBatch,
  type TotalsChange,
  totalsConsumer,
  type TotalsGap,
  type TotalsName,
  totalsNames,
  type TotalsPage,
  type TotalsRound,
  type TotalsRow,
  totalsTimes,
} from './totals';
