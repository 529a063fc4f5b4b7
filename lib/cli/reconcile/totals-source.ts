import { type Command, Option } from 'commander';
import type { CountedSide } from '../../operator/reconciliation/by-day/statistics';
import type { ZoneDays } from '../../operator/reconciliation/rounds/zone-days';
import { readTotals } from '../../operator/reconciliation/totals/sums';
import { systemClock } from '../../platform';
import { openStore } from '../stores/open-store';
import { CommandFailure, keptStore } from '../terminal/failure';
import { assumeDurableFlag, namespaceFlag, schemaFlag, type StoreFlags } from '../terminal/flags';
import { EarlyLog } from '../terminal/log';

/** Flags of our side from the totals of a store. */
export interface TotalsFlags extends Omit<StoreFlags, 'store' | 'decimals'> {
  readonly totals?: true;
  readonly store?: string;
}

/** Adds {@link TotalsFlags}. */
export function addTotalsFlags(command: Command): Command {
  const totals = new Option(
    '--totals',
    'the sums of days from the totals of --store (serve --totals); --events or --archive then only names the rounds',
  );
  return command
    .addOption(totals.conflicts('export'))
    .addOption(new Option('--store <address>', 'with --totals: the store').env('WALLET_STORE'))
    .option('--accept-loss', 'use a server whose settings can lose money (development)')
    .addOption(assumeDurableFlag())
    .addOption(namespaceFlag())
    .addOption(schemaFlag())
    .option(
      '--no-session-timeouts',
      'open connections to PostgreSQL without statement_timeout, which pgbouncer refuses',
    );
}

/**
 * Reads our side of the cells from the store.
 * @throws CommandFailure for a wrong flag; ReconciliationFailure if the store keeps no totals.
 */
export async function totalsSide(
  flags: TotalsFlags & { readonly decimals: number },
  asked: {
    readonly operatorId: string;
    readonly from: string;
    readonly to: string;
    readonly zones: readonly ZoneDays[];
  },
): Promise<CountedSide> {
  const { decimals: wanted, ...choice } = flags;
  const address = keptStore(flags);
  const { store } = await openStore(
    { ...choice, store: address, readsJournals: true },
    new EarlyLog(),
  );
  try {
    if (store.decimals > wanted) {
      throw new CommandFailure(
        `--decimals must be at least ${store.decimals}: the store keeps as many.`,
      );
    }
    const factor = 10n ** BigInt(wanted - store.decimals);
    return await readTotals(store, { ...asked, now: systemClock.now(), factor });
  } finally {
    await store.close();
  }
}
