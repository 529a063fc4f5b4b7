import { type Command, Option } from 'commander';
import type { CountedSide } from '../../operator/reconciliation/by-day/statistics';
import type { ZoneDays } from '../../platform/time/zone-days';
import { readTotals } from '../../operator/reconciliation/totals/sums';
import type { AmountTerms } from '../../protocol/money/amount';
import { systemClock } from '../../platform';
import type { OpenedStore } from '../stores/open-store';
import { withStore } from '../stores/with-store';
import { CommandFailure } from '../terminal/failure';
import {
  acceptLossFlag,
  assumeDurableFlag,
  namespaceFlag,
  schemaFlag,
  sessionTimeoutsFlag,
  type NamedStoreFlags,
} from '../terminal/flags';
import { defined } from '../../platform/validation/defined';

/** Flags of our side from the totals of a store. */
export interface TotalsFlags extends Omit<NamedStoreFlags, 'decimals' | 'unit'> {
  readonly totals?: true;
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
    .addOption(acceptLossFlag())
    .addOption(assumeDurableFlag())
    .addOption(namespaceFlag())
    .addOption(schemaFlag())
    .addOption(sessionTimeoutsFlag());
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
  return withReadStore(flags, async ({ store }) => {
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
export async function withReadStore<T>(
  flags: StoreFlagsOfTotals,
  read: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  // Of other flags some have the names of a store's options: --events, --decimals.
  const { store, acceptLoss, assumeDurable, namespace, schema, sessionTimeouts } = flags;
  const choice = defined({ store, acceptLoss, assumeDurable, namespace, schema });
  return withStore({ ...choice, sessionTimeouts, readsJournals: true }, async (opened) => {
    const { unit } = opened.store;
    if (unit !== flags.unit) {
      throw new CommandFailure(`--unit must be ${unit}, as the store ${opened.address} has it.`);
    }
    return read(opened);
  });
}
