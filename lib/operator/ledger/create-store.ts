import { JournaledLedgerStore, type LedgerStore } from './store';
import { checkLedgerOptions, type LedgerStoreOptions } from './options';

/**
 * A store that leaves the players' money where it is: it keeps rounds and intents in `journal`,
 * and moves money by way of `ledger`. Run a sweeper beside it ({@link startSweeper}), so that what
 * a crash or a silent ledger left under way comes to an end.
 * @throws TypeError for wrong options.
 */
export function createLedgerStore(options: LedgerStoreOptions): LedgerStore {
  return new JournaledLedgerStore(checkLedgerOptions(options));
}
