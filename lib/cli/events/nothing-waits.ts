import type { ConsumerLag, EventBatch } from '../../operator/wallet';
import { systemClock } from '../../platform';

/** How long a reader waits for the first event before it says that none came, in milliseconds. */
const saidAfterMs = 2_000;

/**
 * A line for a person if no event of the operator waits for any consumer; null if one does. The store keeps no list
 * of operators, so a name that is misspelt looks the same as one without events.
 */
export function nothingWaits(operatorId: string, lags: readonly ConsumerLag[]): string | null {
  if (lags.length === 0) {
    return 'No consumer of events is declared in this store, so its wallet writes none: start it with serve --events NAME.';
  }
  if (lags.some(({ waiting }) => waiting > 0)) return null;
  return `No event of operator ${operatorId} waits for a consumer: all are read, or the store has none of this operator.`;
}

/** The same batches; calls `say` once if the first one has not come after a moment. It asks the store nothing. */
export async function* sayingIfNone(
  batches: AsyncIterable<EventBatch>,
  say: () => void,
): AsyncGenerator<EventBatch> {
  const stop = systemClock.after(saidAfterMs, say, 'background');
  try {
    for await (const batch of batches) {
      stop();
      yield batch;
    }
  } finally {
    stop();
  }
}
