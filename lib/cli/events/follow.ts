import type { EventBatch, EventSource } from '../../operator/wallet';
import { systemClock, systemRandom } from '../../platform';
import { backOffMs } from '../../platform/back-off';
import { messageOf } from '../terminal/failure';
import { nothingWaits, sayingIfNone } from './nothing-waits';

/** Whose events are followed. */
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

/** Pauses while the store does not answer: as events archive makes them. */
const pauses = { firstMs: 500, longestMs: 30_000 } as const;

/**
 * Gives batch after batch to `take`, and acknowledges what it took, until the signal aborts, nothing waits (`once`) or
 * `take` resolves to false. While the store does not answer it waits: an event that was taken and not acknowledged
 * comes again.
 */
export async function followEvents(
  following: Following,
  store: Pick<EventSource, 'events' | 'eventsLag'>,
  take: (batch: EventBatch) => Promise<boolean>,
  texts: FollowingTexts,
): Promise<void> {
  const { once, signal } = following;
  for (let failures = 0; !signal.aborted; ) {
    try {
      await followOnce(following, store, take, texts, () => (failures = 0));
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
  store: Pick<EventSource, 'events' | 'eventsLag'>,
  take: (batch: EventBatch) => Promise<boolean>,
  texts: FollowingTexts,
  succeeded: () => void,
): Promise<void> {
  const isDone = async (say?: (nothing: string) => void): Promise<boolean> => {
    if (!once) return false;
    const lags = await store.eventsLag(operatorId);
    const isEmpty = lags.some((one) => one.consumer === consumer && one.waiting === 0);
    const nothing = isEmpty ? nothingWaits(operatorId, lags) : null;
    if (nothing !== null) say?.(nothing);
    return isEmpty;
  };
  if (await isDone((text) => texts.nothing(text))) return;
  const batches = store.events({ consumer, operatorId, signal });
  for await (const batch of sayingIfNone(batches, () => texts.waiting())) {
    if (!(await take(batch))) return;
    await batch.done();
    texts.acknowledged?.(batch);
    succeeded();
    if (await isDone()) return;
  }
}

function isUnavailable(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'STOREUNAVAILABLE';
}
