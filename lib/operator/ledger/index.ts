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
} from '../wallet';
export { createLedgerStore } from './create-store';
export type { LedgerStoreOptions } from './options';
export { type RoundBooks, roundBooksDifference, type RoundBooksQuery } from './round-books';
export type { Settlement } from './settlement';
export type { LedgerStore, SettleOptions } from './store';
export { type Sweeper, type SweeperOptions, startSweeper, type SweepReport } from './sweeper';
