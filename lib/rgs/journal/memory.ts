import { checkOptionNames } from '../../platform/validation';
import { closed, type Journal, type JournalError, type JournalEvent, writeFailed } from './port';
import { textOfEvent } from './line';

/** A journal in memory: durable as long as the object is held, and no longer. */
export interface MemoryJournal extends Journal {
  /**
   * What the next process finds after this one was killed: the events whose append was called. This
   * journal is closed from then on.
   */
  reopen(): MemoryJournal;
}

/** Fewer events are not worth a snapshot. */
const fewEvents = 100_000;

/**
 * Creates an empty journal in memory, for tests and demonstrations (B4).
 * @throws TypeError for any option: it has none.
 */
export function createMemoryJournal(options: Readonly<Record<string, never>> = {}): MemoryJournal {
  checkOptionNames('createMemoryJournal', options, {});
  return new JournalInMemory([], 0);
}

class JournalInMemory implements MemoryJournal {
  private failure: JournalError | null = null;
  private closed = false;

  /**
   * @param texts - The events as JSON, one text each.
   * @param snapshotEvents - How many of them are the snapshot.
   */
  constructor(
    private texts: string[],
    private snapshotEvents: number,
  ) {}

  async append(events: readonly JournalEvent[]): Promise<void> {
    this.checkUsable();
    try {
      for (const text of events.map(textOfEvent)) this.texts.push(text);
    } catch (error) {
      throw (this.failure = writeFailed(error));
    }
  }

  async *replay(): AsyncGenerator<JournalEvent> {
    for (const text of this.texts) yield JSON.parse(text) as JournalEvent;
  }

  async compact(snapshot: Iterable<JournalEvent>): Promise<void> {
    this.checkUsable();
    this.texts = textsOf(snapshot);
    this.snapshotEvents = this.texts.length;
  }

  needsCompaction(): boolean {
    return this.texts.length > Math.max(fewEvents, 2 * this.snapshotEvents);
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  reopen(): MemoryJournal {
    this.closed = true;
    return new JournalInMemory([...this.texts], this.snapshotEvents);
  }

  private checkUsable(): void {
    if (this.failure !== null) throw this.failure;
    if (this.closed) throw closed();
  }
}

/** @throws TypeError for what is not JSON, such as a bigint. */
function textsOf(events: Iterable<JournalEvent>): string[] {
  return Array.from(events, (event) => JSON.stringify(event));
}
