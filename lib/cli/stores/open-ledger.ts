import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLedgerStore, type LedgerStore } from '../../operator/ledger';
import type { Ledger, RoundJournal } from '../../operator/wallet';
import type { Logger } from '../../platform';
import { CommandFailure, messageOf } from '../terminal/failure';

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
  logger: Logger,
): Promise<OpenedLedger> {
  const ledger = await loadLedger(file);
  try {
    const store = createLedgerStore({ ledger, journal, logger });
    return { store, close: async () => ledger.close?.() };
  } catch (error) {
    throw new CommandFailure(`--ledger ${file}: ${messageOf(error)}`);
  }
}

async function loadLedger(file: string): Promise<FileLedger> {
  const path = resolve(file);
  if (!existsSync(path)) throw new CommandFailure(`--ledger ${file}: no such file`);
  try {
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    // A CommonJS file that sets `exports.default` nests it one level deeper.
    const { default: outer } = module;
    const exported = hasDefault(outer) ? outer.default : outer;
    if (exported === undefined) throw new Error('it has no default export');
    return (typeof exported === 'function' ? await exported() : exported) as FileLedger;
  } catch (error) {
    throw new CommandFailure(`--ledger ${file}: ${messageOf(error)}`);
  }
}

function hasDefault(exported: unknown): exported is { readonly default: unknown } {
  return typeof exported === 'object' && exported !== null && 'default' in exported;
}
