import {
  createLedgerStore,
  type LedgerStore,
  type LedgerStoreOptions,
} from '../../operator/ledger';
import type { Ledger, RoundJournal } from '../../operator/wallet';
import { orFail } from '../terminal/failure';
import { loadDefault } from '../terminal/load-default';

/** A ledger from a file, which may have a method `close`. */
type FileLedger = Ledger & { close?(): void | Promise<void> };

/** A loaded ledger with the store over it. */
export interface OpenedLedger {
  readonly store: LedgerStore;
  /** Closes the ledger, if it has a method `close`. */
  close(): Promise<void>;
}

/**
 * Creates a store over the ledger of a JavaScript file: its default export is a Ledger, or a function that
 * returns one. Closing the store closes the journal.
 * @throws CommandFailure that names the file and the fault.
 */
export async function openLedger(
  file: string,
  journal: RoundJournal,
  watched: Pick<LedgerStoreOptions, 'logger' | 'metrics' | 'tracer'> = {},
): Promise<OpenedLedger> {
  const ledger = (await loadDefault('--ledger', file)) as FileLedger;
  const store = orFail(`--ledger ${file}`, () =>
    createLedgerStore({ ledger, journal, ...watched }),
  );
  return { store, close: async () => ledger.close?.() };
}
