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
export type { SettleOptions, Settlement } from './rounds';
export { createLedgerStore, type LedgerStore } from './store';
export type { LedgerStoreOptions } from './options';
export { type RoundBooks, roundBooksDifference, type RoundBooksQuery } from './round-books';
export { startSweeper, type Sweeper, type SweeperOptions, type SweepReport } from './sweeper';
