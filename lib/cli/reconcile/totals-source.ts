import { type Command, Option } from 'commander';
import type { CountedSide } from '../../operator/reconciliation/by-day/statistics';
import type { ZoneDays } from '../../platform/time/zone-days';
import { readTotals } from '../../operator/reconciliation/totals/sums';
import type { AmountTerms } from '../../protocol/money/amount';
import { systemClock } from '../../platform';
import { type OpenedStore, openStore } from '../stores/open-store';
import { CommandFailure, keptStore } from '../terminal/failure';
import { assumeDurableFlag, namespaceFlag, schemaFlag, type StoreFlags } from '../terminal/flags';
import { EarlyLog } from '../terminal/log';

/** Flags of our side from the totals of a store. */
export interface TotalsFlags extends Omit<StoreFlags, 'store' | 'decimals' | 'unit'> {
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
    .addOption(
      new Option(
        '--store <address>',
        'the store with the totals, or for --save; with --events or --archive, its books are compared with the events first',
      ).env('WALLET_STORE'),
    )
    .option('--accept-loss', 'use a server whose settings can lose money (development)')
    .addOption(assumeDurableFlag())
    .addOption(namespaceFlag())
    .addOption(schemaFlag())
    .option(
      '--no-session-timeouts',
      'open connections to PostgreSQL without statement_timeout, which pgbouncer refuses',
    );
}

/** What is asked of the store. */
type StoreFlagsOfTotals = TotalsFlags & AmountTerms;

/**
 * Reads our side of the cells from the store.
 * @throws CommandFailure for a wrong flag; ReconciliationFailure if the store keeps no totals.
 */
export async function totalsSide(
  flags: StoreFlagsOfTotals,
  asked: {
    readonly operatorId: string;
    readonly from: string;
    readonly to: string;
    readonly zones: readonly ZoneDays[];
  },
): Promise<CountedSide> {
  return withStore(flags, async ({ store }) => {
    const wanted = flags.decimals;
    if (store.decimals > wanted) {
      throw new CommandFailure(
        `--decimals must be at least ${store.decimals}: the store keeps as many.`,
      );
    }
    const factor = 10n ** BigInt(wanted - store.decimals);
    return readTotals(store, { ...asked, now: systemClock.now(), factor });
  });
}

/**
 * Opens the store of the flags, to read. Its data say how many decimals it has.
 * @throws CommandFailure if its unit is another than that of the flags: every amount would differ.
 */
export async function withStore<T>(
  flags: StoreFlagsOfTotals,
  read: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  // Of other flags some have the names of a store's options: --events, --decimals.
  const { acceptLoss, assumeDurable, namespace, schema, sessionTimeouts } = flags;
  const choice = { acceptLoss, assumeDurable, namespace, schema, sessionTimeouts };
  const given = Object.fromEntries(
    Object.entries(choice).filter(([, value]) => value !== undefined),
  ) as Pick<StoreFlags, keyof typeof choice>;
  const store = keptStore(flags);
  const opened = await openStore({ ...given, store, readsJournals: true }, new EarlyLog());
  try {
    const { unit } = opened.store;
    if (unit !== flags.unit) {
      throw new CommandFailure(`--unit must be ${unit}, as the store ${opened.address} has it.`);
    }
    return await read(opened);
  } finally {
    await opened.store.close();
  }
}
