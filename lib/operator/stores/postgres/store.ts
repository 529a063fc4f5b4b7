import type {
  ActList,
  EventSource,
  Minutes,
  Reconciliations,
  RepairList,
  RoundHistory,
  RoundLists,
  Totals,
  WalletStore,
} from '../../wallet';
import type { AmountUnit } from '../../../protocol/money/amount';
import type { Companions } from '../companions';
import type { Connections } from './connections/pool';
import { minutesOf, reconciliationsOf } from './day-figures';
import { PostgresEvents, type PostgresEventsParts } from './events';
import { Acts } from './lists/acts';
import { History } from './lists/history';
import { Listings } from './lists/listings';
import { Repairs } from './lists/repairs';
import type { RetentionCleaner } from './retention-cleaner';
import { PostgresRounds, type PostgresRoundsParts } from './rounds';
import { totalsOf } from './totals';

/** The parts of a store in PostgreSQL. */
export interface PostgresStoreParts extends PostgresEventsParts, PostgresRoundsParts {
  /** What 1 is in an amount of a call (D2.5). */
  readonly unit: AmountUnit;
  readonly connections: Connections;
  readonly cleaner: RetentionCleaner;
  /** The other processes over the store; null if this one does not serve. */
  readonly companions: Companions | null;
  /** Whether a limit counts what moved in its window before it was set. */
  readonly limitsFromHistory: boolean;
  /** Releases the pool, if the store owns it. */
  readonly release: () => Promise<void>;
}

/** A store over tables of the platform's own: its players are there. */
export interface OwnTablesStore extends WalletStore {
  readonly players?: undefined;
  readonly events: EventSource;
  readonly totals: Totals;
  readonly reconciliations: Reconciliations;
  readonly minutes: Minutes;
  readonly history: RoundHistory;
  readonly repairs: RepairList;
  readonly acts: ActList;
  readonly lists: RoundLists;
}

/** A store of these parts, wherever its money is. */
export function storeOf(
  parts: PostgresStoreParts,
): OwnTablesStore & { readonly events: PostgresEvents } {
  const { connections, executor, companions, cleaner, money, past, decimals, unit } = parts;
  const events = new PostgresEvents(parts, (round) => rounds.readRound(round));
  const rounds = new PostgresRounds(parts, events);
  const ready = async (): Promise<void> => {
    await connections.passed();
    await money.ready();
    const probe = await rounds.accounts({ operatorId: 'probe', playerId: 'probe' });
    if (probe.kind === 'unknown') throw probe.cause;
    await companions?.join();
    await events.ready();
  };
  const release = async (): Promise<void> => {
    cleaner.close();
    await companions?.leave();
    connections.close();
    await parts.release();
  };
  let closed: Promise<void> | null = null;
  cleaner.start();
  return {
    decimals,
    unit,
    rounds,
    events,
    totals: totalsOf(executor, events),
    reconciliations: reconciliationsOf(parts),
    minutes: minutesOf(parts),
    history: new History(executor, decimals),
    repairs: new Repairs(executor),
    acts: new Acts(parts),
    lists: new Listings(executor),
    server: {
      time: () => executor.time(),
      get settings() {
        return connections.settings;
      },
      get lostCommits() {
        return past?.lost ?? 0;
      },
    },
    retentionMs: () => companions?.shortestMs ?? parts.retentionMs,
    ready,
    close: () => (closed ??= release()),
  };
}
