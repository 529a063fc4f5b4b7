import type { Clock } from '../../../platform';
import { within } from '../../../platform/within';
import type { RecentCalls } from '../activity';
import type { OperationsSettings } from '../configuration';

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
