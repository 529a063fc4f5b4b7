import type { EventBatch, EventSource, ConsumerLag } from '../../operator/wallet';
import { systemClock, systemRandom } from '../../platform';
import { backOffMs } from '../../platform/back-off';
import { isUnavailable } from '../../operator/archive/run';
import { messageOf } from '../terminal/failure';

/** The operator and consumer, and when to stop. */
export interface Following {
  readonly consumer: string;
  readonly operatorId: string;
  /** Ends when nothing waits any more, and with an error when the store does not answer. */
  readonly once: boolean;
  readonly signal: AbortSignal;
}

/** What a command says while it follows. */
export interface FollowingTexts {
  /** With --once nothing waits for any consumer: the whole line. */
  nothing(text: string): void;
  /** None has come yet. */
  waiting(): void;
  /** The batch is taken and acknowledged. */
  acknowledged?(batch: EventBatch): void;
  /** The store did not answer; it is asked again after the pause. */
  again(reason: string, pauseMs: number): void;
}

/** Pauses while the store does not answer: as archive run makes them. */
const pauses = { firstMs: 500, longestMs: 30_000 } as const;

/**
 * Gives batch after batch to `take`, and acknowledges what it took, until the signal aborts, nothing waits (`once`) or
 * `take` resolves to false. While the store does not answer it waits: an event that was taken and not acknowledged
 * is delivered again.
 */
export async function followEvents(
  following: Following,
  source: Pick<EventSource, 'read' | 'lag'>,
  take: (batch: EventBatch) => Promise<boolean>,
  texts: FollowingTexts,
): Promise<void> {
  const { once, signal } = following;
  for (let failures = 0; !signal.aborted; ) {
    try {
      await followOnce(following, source, take, texts, () => (failures = 0));
      return;
    } catch (error) {
      if (once || !isUnavailable(error)) throw error;
      failures++;
      const pauseMs = Math.round(backOffMs(pauses, failures, systemRandom));
      texts.again(messageOf(error), pauseMs);
      await systemClock.pause(pauseMs, signal);
    }
  }
}

async function followOnce(
  { consumer, operatorId, once, signal }: Following,
  source: Pick<EventSource, 'read' | 'lag'>,
  take: (batch: EventBatch) => Promise<boolean>,
  texts: FollowingTexts,
  succeeded: () => void,
): Promise<void> {
  const isDone = async (say?: (nothing: string) => void): Promise<boolean> => {
    if (!once) return false;
    const lags = await source.lag(operatorId);
    const isEmpty = lags.some((one) => one.consumer === consumer && one.waiting === 0);
    const nothing = isEmpty ? nothingWaits(operatorId, lags) : null;
    if (nothing !== null) say?.(nothing);
    return isEmpty;
  };
  if (await isDone((text) => texts.nothing(text))) return;
  const batches = source.read({ consumer, operatorId, signal });
  for await (const batch of sayingIfNone(batches, () => texts.waiting())) {
    if (!(await take(batch))) return;
    await batch.done();
    texts.acknowledged?.(batch);
    succeeded();
    if (await isDone()) return;
  }
}

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
async function* sayingIfNone(
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
