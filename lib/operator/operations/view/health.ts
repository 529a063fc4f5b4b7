import type { Clock } from '../../../platform';
import { within } from '../../../platform/within';
import type { RecentCalls } from '../../minutes/call-watch';
import type { OperationsSettings } from '../configuration/options';
import type { WalletStore } from '../../wallet';
import { freshly } from './query-store';

/** Time limit of the check, in milliseconds. */
const readyMs = 2000;

/** Whether money moves. */
export interface MoneyView {
  readonly asOf: string;
  /** Whether the store answers and takes writes. */
  readonly store: 'ready' | 'not ready';
  /** What this process answered lately; null without a call watch. */
  readonly calls: RecentCalls | null;
}

/** Asks the store whether it is ready; without an answer in time it is not. */
export async function viewMoney({
  store,
  clock,
  calls,
}: Pick<OperationsSettings, 'store' | 'calls'> & { readonly clock: Clock }): Promise<MoneyView> {
  const ready = store.ready().then(
    () => true,
    () => false,
  );
  const isReady = await within(clock, readyMs, ready, { late: () => false });
  return {
    asOf: new Date(clock.now()).toISOString(),
    store: isReady ? 'ready' : 'not ready',
    calls: calls?.read() ?? null,
  };
}

/** The lag of a consumer of the events, over the operators that are shown. */
interface ConsumerRow {
  readonly consumer: string;
  /** Events that it has not acknowledged. */
  readonly waiting: number;
  /** When the oldest of them was committed: ISO 8601, UTC; null without any. */
  readonly oldest: string | null;
}

/** Every declared consumer of the events. */
export interface ConsumersView {
  readonly asOf: string;
  /** The one with the oldest waiting event first. */
  readonly consumers: readonly ConsumerRow[];
}

/** The consumers of the events; null if the store writes none. @throws StoreUnavailableError */
export async function viewConsumers({
  store,
  clock,
  operators,
}: {
  readonly store: WalletStore;
  readonly clock: Clock;
  readonly operators: readonly string[];
}): Promise<ConsumersView | null> {
  const { events } = store;
  if (events === undefined) return null;
  const lagOf = (operatorId: string) => events.lag(operatorId);
  const { asOf, lags } = await freshly(events, JSON.stringify(operators), clock, async () => {
    const found = await Promise.all(operators.map(lagOf));
    return { asOf: new Date(clock.now()).toISOString(), lags: found };
  });
  const byName = new Map<string, { waiting: number; oldestAt: number | null }>();
  for (const { consumer, waiting, oldestAt } of lags.flat()) {
    const sum = byName.get(consumer) ?? { waiting: 0, oldestAt: null };
    sum.waiting += waiting;
    sum.oldestAt = earlier(sum.oldestAt, oldestAt);
    byName.set(consumer, sum);
  }
  const consumers = [...byName].map(([consumer, { waiting, oldestAt }]) => {
    const oldest = oldestAt === null ? null : new Date(oldestAt).toISOString();
    return { consumer, waiting, oldest };
  });
  consumers.sort((one, other) => ((one.oldest ?? '~') < (other.oldest ?? '~') ? -1 : 1));
  return { asOf, consumers };
}

function earlier(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
