export type {
  Ledger,
  LedgerCredit,
  LedgerDebit,
  LedgerDone,
  LedgerPosting,
  LedgerRefused,
  LedgerReversal,
} from '../wallet';
export { createLedgerStore } from './create-store';
export type { LedgerStoreOptions } from './options';
export type { Settlement } from './settlement';
export type { LedgerStore, SettleOptions } from './store';
export { type Sweeper, type SweeperOptions, startSweeper, type SweepReport } from './sweeper';
