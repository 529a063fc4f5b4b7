import type { JsonValue } from '../../protocol/json/parse';

/**
 * Why a journal cannot be used: its folder or file cannot be opened, another process uses it, it is
 * damaged, a write failed, it is closed, or its statistics were counted in another way (E24.3).
 */
export type JournalErrorCode =
  | 'CANNOT_OPEN'
  | 'LOCKED'
  | 'DAMAGED'
  | 'WRITE_FAILED'
  | 'CLOSED'
  | 'OTHER_COUNTING';

/** A journal that cannot be used; `message` says what to do (B4). */
export class JournalError extends Error {
  override readonly name = 'JournalError';

  constructor(
    readonly code: JournalErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What every append after a failed one rejects with: what is durable is unknown (B4). */
export function writeFailed(cause: unknown): JournalError {
  const message = 'An append to the journal failed: it takes no more until it is opened again.';
  return new JournalError('WRITE_FAILED', message, { cause });
}

/** What a closed journal rejects with. */
export function closed(): JournalError {
  return new JournalError('CLOSED', 'The journal is closed.');
}

/** One event as a journal keeps it: a JSON object; amounts in it are texts. */
export interface JournalEvent {
  readonly type: string;
  readonly [member: string]: JsonValue;
}

/**
 * Keeps the events of a remote game server, from which it rebuilds its state after a crash (B4). One
 * writer. Nothing that depends on an event is sent or answered before `append` resolved. Events are read
 * when `append` or `compact` is called; what happens to them later changes nothing.
 */
export interface Journal {
  /**
   * Keeps the events, all or none, after those of every earlier call. Resolves once they are durable. After
   * a rejection it is unknown whether they are; every later `append` rejects as well.
   */
  append(events: readonly JournalEvent[]): Promise<void>;
  /**
   * The events in order, from the latest snapshot on, as far as they are durable. To be read to its end
   * before the first append.
   */
  replay(): AsyncIterable<JournalEvent>;
  /**
   * Replaces the events of every earlier `append` by a snapshot, atomically; those of a later one come
   * after it. After a rejection the earlier events are still kept.
   */
  compact(snapshot: Iterable<JournalEvent>): Promise<void>;
  /** Whether so much was appended since the latest snapshot that `compact` is worth its time. */
  needsCompaction(): boolean;
  /** Finishes the appends in flight, and releases what it holds. Every later `append` rejects. */
  close(): Promise<void>;
}
