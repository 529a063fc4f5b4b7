import { JournaledLedgerStore, type LedgerStore } from './store';
import { checkLedgerOptions, type LedgerStoreOptions } from './options';

/**
 * A store that leaves the players' money where it is: it keeps rounds and intents in `journal`, and moves
 * money through `ledger`. Run a sweeper as well ({@link startSweeper}) to finish what a crash or a silent
 * ledger left pending.
 * @throws TypeError for wrong options.
 */
export function createLedgerStore(options: LedgerStoreOptions): LedgerStore {
  return new JournaledLedgerStore(checkLedgerOptions(options));
}
