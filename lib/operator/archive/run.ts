import type { EventBatch, EventSource } from '../wallet';
import type { Clock, Random } from '../../platform';
import { backOffMs } from '../../platform/back-off';
import type { Anchoring } from './anchors/anchoring';
import type { ArchiveWriter } from './writer/log-writer';
import type { Report } from './writer/options';
import { ArchiveRefusedError } from './writer/refused';

/** The operator and consumer of the archived events. */
export interface ArchiveRequest {
  readonly consumer: string;
  readonly operatorId: string;
  /** Ends when nothing waits any more. */
  readonly once: boolean;
  readonly signal: AbortSignal;
  /** A checkpoint is made so often while events come, in milliseconds; 60,000 unless set. */
  readonly checkpointMs?: number;
  /** Events of a page: one write and one acknowledgement for all of them; 1,000 unless set. */
  readonly pageSize?: number;
}

/** What the archive works with. */
export interface ArchiveParts {
  readonly source: Pick<EventSource, 'read' | 'lag'>;
  readonly writer: ArchiveWriter;
  readonly anchoring: Anchoring;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
}

/** How long the archive waits for events before it looks whether something is due, in milliseconds. */
const lookEveryMs = 5_000;
/** How often the log says how far it is, in milliseconds. */
const progressEveryMs = 10_000;
/** Pauses while the store does not answer. */
const pauses = { firstMs: 500, longestMs: 30_000 } as const;

/**
 * Archives events until the signal aborts, or once nothing waits. Each page is on the disk before it is acknowledged. While
 * the store does not answer, it waits; with `once` it gives up.
 * @throws ArchiveRefusedError if another process writes in the folder, or reads for the consumer; what the disk throws.
 */
export async function archiveEvents(request: ArchiveRequest, parts: ArchiveParts): Promise<void> {
  const { clock, random, report } = parts;
  const run = new Run(request, parts);
  for (let failures = 0; !request.signal.aborted; ) {
    try {
      await run.follow(() => (failures = 0));
      break;
    } catch (error) {
      if (request.once || !isUnavailable(error)) throw error;
      failures += 1;
      const pauseMs = Math.round(backOffMs(pauses, failures, random));
      const reason = (error as Error).message;
      report('warn', { reason, pauseMs }, 'events cannot be read: tried again');
      await clock.pause(pauseMs, request.signal);
    }
  }
  await run.finish();
}

class Run {
  #events = 0;
  #last = '';
  #saidAt: number;
  #hasSpoken = false;
  #signedAt: number;

  constructor(
    private readonly request: ArchiveRequest,
    private readonly parts: ArchiveParts,
  ) {
    this.#saidAt = parts.clock.monotonicMs();
    this.#signedAt = this.#saidAt;
  }

  /** Reads page after page; while none comes, it does what is due. */
  async follow(succeeded: () => void): Promise<void> {
    const { consumer, operatorId, signal, pageSize = 1_000 } = this.request;
    const { source, clock } = this.parts;
    const ending = new AbortController();
    const end = (): void => ending.abort();
    signal.addEventListener('abort', end);
    const reading = { consumer, operatorId, atMost: pageSize, signal: ending.signal };
    const batches = source.read(reading)[Symbol.asyncIterator]();
    let next = batches.next();
    try {
      while (!(await this.isDone())) {
        const came = await cameWithin(next, clock);
        if (came === null) {
          this.sayIdle('waits');
          await this.doDue(true);
          continue;
        }
        if (came.done === true) return;
        await this.keep(came.value);
        succeeded();
        await this.doDue(false);
        next = batches.next();
      }
      this.sayIdle('ends');
    } finally {
      signal.removeEventListener('abort', end);
      end();
      next.catch(() => undefined);
    }
  }

  /** The last checkpoint: no later one says what was archived. */
  async finish(): Promise<void> {
    await this.sign();
    this.say();
  }

  /** What was written is acknowledged only while the folder is still this process's. */
  private async keep(batch: EventBatch): Promise<void> {
    const { writer } = this.parts;
    await writer.append(batch.events);
    await writer.check();
    if (!(await batch.done())) {
      throw new ArchiveRefusedError(
        'Another process reads for the same consumer: end it, or name another with --consumer.',
      );
    }
    writer.acknowledged(batch.events);
    this.#hasSpoken = true;
    this.#events += batch.events.length;
    this.#last = batch.events.at(-1)?.at ?? '';
  }

  /** Seals, signs and says how far it is, where it is time. */
  private async doDue(isIdle: boolean): Promise<void> {
    const { writer, clock } = this.parts;
    const { checkpointMs = 60_000 } = this.request;
    const isSealed = (await writer.sealIfDue()) !== null;
    const now = clock.monotonicMs();
    if (isSealed || now - this.#signedAt >= checkpointMs) await this.sign();
    if (isIdle || now - this.#saidAt >= progressEveryMs) this.say();
  }

  private async sign(): Promise<void> {
    const { writer, anchoring, clock } = this.parts;
    this.#signedAt = clock.monotonicMs();
    const head = await writer.checkpoint();
    if (head !== null) anchoring.offer(head);
  }

  /** Once, and only before the first event: a misspelt operator has none either. */
  private sayIdle(next: 'waits' | 'ends'): void {
    if (this.#hasSpoken) return;
    this.#hasSpoken = true;
    const { consumer, operatorId } = this.request;
    this.parts.report(
      'info',
      { operatorId, consumer },
      next === 'ends'
        ? 'no event of this operator waits'
        : 'no event of this operator waits: waiting for new ones',
    );
  }

  private say(): void {
    const { clock, report, writer, anchoring } = this.parts;
    const [events, last] = [this.#events, this.#last];
    this.#saidAt = clock.monotonicMs();
    this.#events = 0;
    if (events === 0) return;
    const { size, openEvents } = writer;
    const { unanchoredSeconds } = anchoring;
    report('info', { events, last, size, openEvents, unanchoredSeconds }, 'events archived');
  }

  /** With `once`, when nothing waits any more. */
  private async isDone(): Promise<boolean> {
    const { consumer, operatorId, once } = this.request;
    if (!once) return false;
    const lags = await this.parts.source.lag(operatorId);
    return lags.some((one) => one.consumer === consumer && one.waiting === 0);
  }
}

/** The next page; null if none came in a while. */
async function cameWithin(
  next: Promise<IteratorResult<EventBatch>>,
  clock: Clock,
): Promise<IteratorResult<EventBatch> | null> {
  const waiting = new AbortController();
  try {
    return await Promise.race([next, clock.pause(lookEveryMs, waiting.signal).then(() => null)]);
  } finally {
    waiting.abort();
  }
}

/** Whether the store did not answer: it may be tried again. */
export function isUnavailable(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'STOREUNAVAILABLE';
}
