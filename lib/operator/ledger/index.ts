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
export { createLedgerStore, type LedgerStore, type SettleOptions } from './store';
export type { LedgerStoreOptions } from './options';
export { type RoundBooks, roundBooksDifference, type RoundBooksQuery } from './round-books';
export type { Settlement } from './settlement';
export { startSweeper, type Sweeper, type SweeperOptions, type SweepReport } from './sweeper';
