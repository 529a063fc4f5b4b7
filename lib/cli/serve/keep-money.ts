import { startSweeper } from '../../operator/ledger';
import { startTotals } from '../../operator/reconciliation/totals/keep';
import type { Metrics } from '../../operator/telemetry';
import { totalsConsumer, type WalletStore } from '../../operator/wallet';
import { CommandFailure } from '../terminal/failure';
import type { Logger } from '../../platform';
import type { OpenTelemetryTracer } from '../../platform/tracing';
import { openLedger } from '../stores/open-ledger';
import { keptJournal, type OpenedStore } from '../stores/open-store';
import { defined } from '../../platform/validation/defined';
import type { ServeFlags } from './flags';

/** Where a service keeps the money. */
export interface KeptMoney {
  readonly store: WalletStore;
  /** Closes the store, and the ledger if there is one. */
  close(): Promise<void>;
}

/** Where the ledger store and the sweeper report what they do. */
export interface Watched {
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly tracer?: OpenTelemetryTracer;
}

/** Flags that say where the money is kept. */
export interface KeepFlags
  extends Pick<ServeFlags, 'ledger' | 'players' | 'acceptLoss' | 'deadlineMs'>,
    Pick<ServeFlags, 'totals' | 'notableFrom' | 'roundLookup'> {
  readonly store: string;
}

/** Margin between the last moment a call can be answered and marking its debit as unanswered. */
const marginMs = 10_000;
const shortestGiveUpMs = 30_000;
const usualDeadlineMs = 5000;

/** What keeping needs besides the store. */
interface KeepParts {
  readonly operatorIds: readonly string[];
  readonly watched: Watched;
}

/**
 * The store itself; or, if a ledger is named, a store that keeps the rounds in it and the money in the
 * ledger, with a running sweeper. With `totals`, these are kept until it is closed.
 * @throws CommandFailure for a ledger that cannot be used; the store is closed then.
 */
export async function keepMoneyIn(
  from: OpenedStore,
  flags: KeepFlags,
  parts: KeepParts,
): Promise<KeptMoney> {
  const money = await moneyIn(from, flags, parts);
  if (flags.totals !== true) return money;
  const { store } = money;
  const { notableFrom, roundLookup: lookup = false } = flags;
  const { logger } = parts.watched;
  const totals = startTotals({
    store,
    operatorIds: parts.operatorIds,
    logger,
    lookup,
    ...(notableFrom !== undefined && { notableFrom }),
  });
  const close = async (): Promise<void> => {
    await totals.stop();
    await money.close();
  };
  return { store, close };
}

async function moneyIn(
  from: OpenedStore,
  flags: KeepFlags,
  { operatorIds, watched }: KeepParts,
): Promise<KeptMoney> {
  const { store } = from;
  if (flags.ledger === undefined) return { store, close: () => store.close() };
  const journal = await keptJournal(from);
  try {
    const opened = await openLedger(flags.ledger, journal, watched);
    const giveUpAfterMs = Math.max(
      (flags.deadlineMs ?? usualDeadlineMs) + marginMs,
      shortestGiveUpMs,
    );
    const { tracer: _, ...counted } = watched;
    const sweeper = startSweeper({ store: opened.store, operatorIds, giveUpAfterMs, ...counted });
    const close = async (): Promise<void> => {
      await sweeper.stop();
      await opened.store.close();
      await opened.close();
    };
    return { store: opened.store, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Checks the flags before anything is opened.
 * @throws CommandFailure for flags that cannot be combined.
 */
export function checkKeepFlags(flags: KeepFlags): void {
  const { ledger, players, store, acceptLoss, totals, notableFrom, roundLookup } = flags;
  if (totals !== true && (notableFrom !== undefined || roundLookup === true)) {
    throw new CommandFailure('--notable-from and --round-lookup need --totals');
  }
  if (ledger === undefined) return;
  if (players !== undefined) {
    throw new CommandFailure(
      '--players cannot be combined with --ledger: open the players in the ledger',
    );
  }
  if (store === 'memory:' && acceptLoss !== true) {
    throw new CommandFailure(
      '--ledger needs a store that outlives the process, to remember what it posted: --store postgres://... or redis://...; for development, --accept-loss allows memory:',
    );
  }
}

/** Decides whether the service is only being tried out. */
interface Surroundings {
  /** Whether a person sees the log and can stop the service. */
  readonly isTerminal: boolean;
  readonly nodeEnv: string | undefined;
}

/**
 * The address of the store. Without a terminal, a service keeps money in memory only by an explicit option:
 * a forgotten variable in a deployment would lose every balance at the next restart.
 * @throws CommandFailure where none is named, and the service is no trial at a terminal.
 */
export function chooseStore(
  store: string | undefined,
  { isTerminal, nodeEnv }: Surroundings = surroundings(),
): string {
  if (store !== undefined) return store;
  if (isTerminal && nodeEnv !== 'production') return 'memory:';
  throw new CommandFailure(
    'No store: name one with --store or WALLET_STORE, such as postgres://... or redis://...; memory: keeps the money in this process and forgets it when the process ends',
  );
}

function surroundings(): Surroundings {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  return { isTerminal, nodeEnv: process.env['NODE_ENV'] };
}

/** The consumers that the store declares: the named ones, and that of the totals. */
export function consumersOf({
  events,
  totals,
}: Pick<ServeFlags, 'events' | 'totals'>): Pick<ServeFlags, 'events'> {
  if (totals !== true) return defined({ events });
  return { events: [...new Set([...(events ?? []), totalsConsumer])] };
}
