import type { EventBatch, EventSource } from '../../operator/wallet';
import type { Clock, Logger, Random } from '../../platform';
import { backOffMs } from '../../platform/back-off';
import { CommandFailure, messageOf } from '../terminal/failure';
import type { ArchiveFolder } from './folder';
import { type ArchiveLock, renewEveryMs } from './lock';

/** The operator and consumer of the archived events. */
export interface ArchiveRequest {
  readonly consumer: string;
  readonly operatorId: string;
  /** Ends when nothing waits any more. */
  readonly once: boolean;
  readonly signal: AbortSignal;
}

/** What the archive works with. */
export interface ArchiveParts {
  readonly source: EventSource;
  readonly folder: ArchiveFolder;
  readonly lock: Pick<ArchiveLock, 'check' | 'renew'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** Events of a batch: one write and one acknowledgement for all of them. */
const batchSize = 1000;

/** How often the log says how far it is, in milliseconds. */
const progressEveryMs = 10_000;

/** Pauses while the store does not answer. */
const pauses = { firstMs: 500, longestMs: 30_000 } as const;

/**
 * Archives events until the signal aborts, or once nothing waits. Each batch is on the disk before it is
 * acknowledged. While the store does not answer, it waits; with `once` it gives up.
 * @throws CommandFailure if another process writes in the folder, or reads for the consumer; what the disk throws.
 */
export async function archiveEvents(request: ArchiveRequest, parts: ArchiveParts): Promise<void> {
  const { clock, random, log } = parts;
  const progress = new Progress(parts, request);
  for (let failures = 0; !request.signal.aborted; ) {
    try {
      await follow(request, parts, progress, () => (failures = 0));
      break;
    } catch (error) {
      if (request.once || !isUnavailable(error)) throw error;
      failures++;
      const pauseMs = backOffMs(pauses, failures, random);
      log.warn({ reason: messageOf(error), pauseMs }, 'events cannot be read: tried again');
      await clock.pause(pauseMs, request.signal);
      await parts.lock.renew();
    }
  }
  progress.say();
}

/** Reads batch after batch; while none comes, it seals the hours that are over. */
async function follow(
  request: ArchiveRequest,
  parts: ArchiveParts,
  progress: Progress,
  succeeded: () => void,
): Promise<void> {
  const { consumer, operatorId, signal } = request;
  const { source, lock, clock } = parts;
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end);
  const reading = { consumer, operatorId, atMost: batchSize, signal: ending.signal };
  const batches = source.read(reading)[Symbol.asyncIterator]();
  let next = batches.next();
  try {
    while (!(request.once && (await isEmpty(request, source)))) {
      const came = await cameWithin(next, clock);
      if (came === null) {
        progress.sayIdle('waits');
        await lock.renew();
        await progress.seal(true);
        continue;
      }
      if (came.done === true) return;
      await keep(came.value, parts);
      progress.add(came.value);
      succeeded();
      await lock.renew();
      await progress.seal(came.value.events.length < batchSize);
      next = batches.next();
    }
    progress.sayIdle('ends');
    await progress.seal(true);
  } finally {
    signal.removeEventListener('abort', end);
    end();
    next.catch(() => undefined);
  }
}

/** What was written is acknowledged only while the folder is still this process's. */
async function keep(batch: EventBatch, { folder, lock, clock }: ArchiveParts): Promise<void> {
  await folder.append(batch.events, clock.now());
  await lock.check();
  if (await batch.done()) return;
  throw new CommandFailure(
    'Another process reads for the same consumer: end it, or name another with --consumer.',
  );
}

/** The next batch; null if none came in the time after which the lock is renewed. */
async function cameWithin(
  next: Promise<IteratorResult<EventBatch>>,
  clock: Clock,
): Promise<IteratorResult<EventBatch> | null> {
  const waiting = new AbortController();
  try {
    return await Promise.race([next, clock.pause(renewEveryMs, waiting.signal).then(() => null)]);
  } finally {
    waiting.abort();
  }
}

/** Seals, and says how far the archive is. */
class Progress {
  #events = 0;
  #last = '';
  #saidAt: number;
  #hasSpoken = false;

  constructor(
    private readonly parts: ArchiveParts,
    private readonly whose: Pick<ArchiveRequest, 'consumer' | 'operatorId'>,
  ) {
    this.#saidAt = parts.clock.monotonicMs();
  }

  /** Once, and only before the first event: a misspelt operator has none either. */
  sayIdle(next: 'waits' | 'ends'): void {
    if (this.#hasSpoken) return;
    this.#hasSpoken = true;
    const { consumer, operatorId } = this.whose;
    this.parts.log.info(
      { operatorId, consumer },
      next === 'ends'
        ? 'no event of this operator waits'
        : 'no event of this operator waits: waiting for new ones',
    );
  }

  add({ events }: EventBatch): void {
    this.#hasSpoken = true;
    this.#events += events.length;
    this.#last = events.at(-1)?.at ?? '';
    if (this.parts.clock.monotonicMs() - this.#saidAt >= progressEveryMs) this.say();
  }

  async seal(isCaughtUp: boolean): Promise<void> {
    const { folder, clock, log } = this.parts;
    for (const sealed of await folder.sealDue(clock.now(), isCaughtUp)) {
      log.info(sealed, 'an hour was sealed');
    }
  }

  say(): void {
    const { clock, log, folder } = this.parts;
    const [events, last] = [this.#events, this.#last];
    this.#saidAt = clock.monotonicMs();
    this.#events = 0;
    if (events > 0)
      log.info({ events, last, openHours: folder.openHours.length }, 'events archived');
  }
}

async function isEmpty(
  { consumer, operatorId }: ArchiveRequest,
  source: EventSource,
): Promise<boolean> {
  const lags = await source.lag(operatorId);
  return lags.some((one) => one.consumer === consumer && one.waiting === 0);
}

function isUnavailable(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'STOREUNAVAILABLE';
}
