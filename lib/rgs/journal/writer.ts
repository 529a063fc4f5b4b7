import { dirname } from 'node:path';
import {
  type Compaction,
  discard,
  encodeSnapshot,
  type End,
  temporaryPath,
  writeLines,
  writeSnapshot,
  type Written,
} from './compaction';
import type { Disk, DiskFile } from './disk';
import { closed, type JournalError, type JournalEvent, writeFailed } from './port';
import { encodeEvents } from './line';

/** An append that is not durable yet. */
interface Pending {
  /** Appends are numbered in the order of their calls. */
  readonly number: number;
  /** Encoded; null for an append without events. */
  readonly events: Buffer | null;
  readonly settle: Settle;
}

interface Settle {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A compaction with a new file that is about to replace the journal's. */
interface Ready extends Written {
  readonly compaction: Compaction;
  readonly settle: Settle;
}

/** Where the writer begins. */
interface WriterStart {
  readonly disk: Disk;
  readonly path: string;
  readonly file: DiskFile;
  /** Of what is durable. */
  readonly end: End;
}

/**
 * Writes appends in the order of their calls. Those that arrive while the disk syncs share the next sync.
 * After a failed write or sync nothing more is written: what a disk holds after a failed sync is unknown,
 * and another sync would not say (B4).
 */
export class Writer {
  private readonly disk: Disk;
  private readonly path: string;
  private file: DiskFile;
  private durable: End;
  private queue: Pending[] = [];
  private appends = 0;
  private failure: JournalError | null = null;
  private isClosed = false;
  private working: Promise<void> | null = null;
  /** Compactions from their call to their end; the disk works on one at a time. */
  private readonly compactions = new Set<Compaction>();
  private lastCompaction: Promise<unknown> = Promise.resolve();
  private ready: Ready | null = null;

  constructor({ disk, path, file, end }: WriterStart) {
    this.disk = disk;
    this.path = path;
    this.file = file;
    this.durable = end;
  }

  /** Bytes that are durable. */
  get bytes(): number {
    return this.durable.bytes;
  }

  get isCompacting(): boolean {
    return this.compactions.size > 0;
  }

  /** Resolves once the events are durable. @throws JournalError */
  async append(events: readonly JournalEvent[]): Promise<void> {
    this.checkUsable();
    const number = ++this.appends;
    const encoded = events.length === 0 ? null : this.encoded(events);
    await new Promise<void>((resolve, reject) => {
      this.queue.push({ number, events: encoded, settle: { resolve, reject } });
      this.work();
    });
  }

  /** Resolves once the snapshot has taken the place of the appends called before. @throws Error */
  async compact(snapshot: Iterable<JournalEvent>): Promise<void> {
    this.checkUsable();
    const encoded = encodeSnapshot(snapshot);
    const compaction: Compaction = { replaces: this.appends, since: [] };
    this.compactions.add(compaction);
    const done = this.lastCompaction.then(() => this.replaceBy(compaction, encoded));
    this.lastCompaction = done.catch(() => {});
    await done;
  }

  /** Finishes what was called, and closes the file. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.lastCompaction;
    while (this.working !== null) await this.working;
    await this.file.close().catch(() => {}); // all that was acknowledged is durable already
  }

  private checkUsable(): void {
    if (this.failure !== null) throw this.failure;
    if (this.isClosed) throw closed();
  }

  private encoded(events: readonly JournalEvent[]): Buffer {
    try {
      return encodeEvents(events);
    } catch (error) {
      throw (this.failure = writeFailed(error));
    }
  }

  private async replaceBy(compaction: Compaction, snapshot: readonly Buffer[]): Promise<void> {
    try {
      if (this.failure !== null) throw this.failure;
      const written = await writeSnapshot(this.disk, this.path, snapshot);
      await new Promise<void>((resolve, reject) => {
        this.ready = { ...written, compaction, settle: { resolve, reject } };
        this.work();
      });
    } finally {
      this.compactions.delete(compaction);
    }
  }

  private work(): void {
    this.working ??= this.workAll();
  }

  private async workAll(): Promise<void> {
    await Promise.resolve(); // appends called in one go share the first sync
    while (this.queue.length > 0 || this.ready !== null) {
      const { ready } = this;
      const next = this.queue[0];
      const isDue = next === undefined || next.number > (ready?.compaction.replaces ?? Infinity);
      if (ready !== null && isDue) {
        this.ready = null;
        await this.moveTo(ready);
      } else await this.writeQueue();
    }
    this.working = null;
  }

  private async writeQueue(): Promise<void> {
    const group = this.queue.splice(0);
    const events = group.flatMap((one) => one.events ?? []);
    try {
      if (this.failure !== null) throw this.failure;
      if (events.length > 0) await this.writeDurably(events);
    } catch (error) {
      const failure = (this.failure ??= writeFailed(error));
      for (const { settle } of group) settle.reject(failure);
      // Of what was rejected as little as possible is to come back when the journal is opened again.
      await this.file.truncate(this.durable.bytes).catch(() => {});
      return;
    }
    for (const compaction of this.compactions) note(group, compaction);
    for (const { settle } of group) settle.resolve();
  }

  private async writeDurably(events: readonly Buffer[]): Promise<void> {
    const end = await writeLines(this.file, this.durable, events);
    await this.file.sync();
    this.durable = end;
  }

  /** Has the new file of a compaction take the place of the journal's. */
  private async moveTo({ file, end, compaction, settle }: Ready): Promise<void> {
    let moved: End;
    try {
      if (this.failure !== null) throw this.failure;
      moved = await writeLines(file, end, compaction.since);
      await file.sync();
    } catch (error) {
      await discard(this.disk, this.path, file);
      settle.reject(error);
      return;
    }
    try {
      await this.disk.rename(temporaryPath(this.path), this.path);
      await this.disk.syncFolder(dirname(this.path));
    } catch (error) {
      // Which of the two files a restart finds is unknown: no append is safe in either.
      this.failure = writeFailed(error);
      await file.close().catch(() => {});
      settle.reject(this.failure);
      return;
    }
    await this.file.close().catch(() => {});
    this.file = file;
    this.durable = moved;
    settle.resolve();
  }
}

/** Notes the lines of a group that come after a snapshot. */
function note(group: readonly Pending[], { replaces, since }: Compaction): void {
  for (const { number, events } of group) {
    if (number > replaces && events !== null) since.push(events);
  }
}
