import { posix } from 'node:path';
import type { Clock } from '../../../platform';
import { holderLine, names, wholeLine } from '../format';
import { type ArchiveDisk, codeOf } from './disk';
import { type ArchiveProcess, hasEnded } from './holder';
import { ArchiveRefusedError } from './refused';
import { damaged } from './sealed';
import { holderOf } from '../read/session-items';

/** How often the holder of a session says that it lives, in milliseconds. */
const touchEveryMs = 5_000;

/** A session that was not touched for so long is that of a process that ended. */
const deadAfterMs = 60_000;

/** What a session works with. */
export interface SessionParts {
  readonly disk: ArchiveDisk;
  readonly clock: Pick<Clock, 'now'>;
  readonly process: ArchiveProcess;
  /** In the names of what this writer makes, in hexadecimal. No two writers have the same. */
  readonly token: string;
}

/**
 * The right to write in a folder: it belongs to the session with the highest number. No process is asked to end: one that was overtaken finds out by {@link check}, which comes between what it wrote and its acknowledgement.
 */
export class Session {
  #number: number;

  private constructor(
    private readonly parts: SessionParts,
    number: number,
  ) {
    this.#number = number;
  }

  get number(): number {
    return this.#number;
  }

  /** Path of the session's file. */
  get file(): string {
    return names.sessionName(this.#number);
  }

  /** Overtakes the session before, which must be dead. @throws ArchiveRefusedError if its process may live. */
  static async take(parts: SessionParts): Promise<Session> {
    for (;;) {
      const highest = (await sessionNumbers(parts.disk)).at(-1) ?? 0;
      if (highest >= names.mostSessions) {
        throw damaged(names.sessionName(highest), 'no number is left after it');
      }
      if (highest > 0) await refuseIfAlive(parts, highest);
      const session = new Session(parts, highest + 1);
      if (await session.make('')) return session;
    }
  }

  /** A new session that begins empty, after all of this one was sealed. @throws ArchiveRefusedError if overtaken. */
  async renew(): Promise<void> {
    const before = this.file;
    this.#number += 1;
    if (!(await this.make(`${wholeLine}\n`))) throw overtaken();
    await this.parts.disk.remove(before);
  }

  /** Appends lines. @throws ArchiveRefusedError if overtaken, and the file is gone. */
  async append(content: string | Buffer): Promise<void> {
    await this.orOvertaken(this.parts.disk.append(this.file, content));
  }

  /** @throws ArchiveRefusedError if another process has taken the folder. */
  async check(): Promise<void> {
    if ((await sessionNumbers(this.parts.disk)).at(-1) !== this.#number) throw overtaken();
  }

  /** The same work. What fails because another process has taken the folder, and changes it, is said so. */
  async orOvertaken<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      await this.check();
      throw error;
    }
  }

  /** Says that the process lives. */
  async touch(): Promise<void> {
    await this.parts.disk.touch(this.file, this.parts.clock.now()).catch(() => undefined);
  }

  /** The next process need not wait. */
  async release(): Promise<void> {
    await this.parts.disk.touch(this.file, 0).catch(() => undefined);
  }

  /** Sessions before this one, the newest first. */
  async olderNumbers(): Promise<number[]> {
    const numbers = await sessionNumbers(this.parts.disk);
    return numbers.filter((number) => number < this.#number).toReversed();
  }

  /** Makes the file, which nobody else has made. */
  private async make(more: string): Promise<boolean> {
    const { disk, process, token, clock } = this.parts;
    const temporary = names.unfinishedName(`${this.file}.${token}`);
    const { host, pid, place } = process;
    const first = holderLine({ session: this.#number, host, pid, place });
    await disk.create(temporary, [`${first}\n${more}`]);
    try {
      await disk.touch(temporary, clock.now());
      if (!(await disk.link(temporary, this.file))) return false;
      await disk.sync(posix.dirname(this.file));
      return true;
    } finally {
      await disk.remove(temporary);
    }
  }
}

/** The numbers of all sessions, in order. */
export async function sessionNumbers(disk: ArchiveDisk): Promise<number[]> {
  const found = await disk.list(names.sessionsFolder);
  return found
    .flatMap((name) => {
      const known = names.readName(`${names.sessionsFolder}/${name}`);
      return known?.kind === 'session' ? [known.number] : [];
    })
    .toSorted((one, other) => one - other);
}

async function refuseIfAlive(
  { disk, clock, process }: SessionParts,
  number: number,
): Promise<void> {
  const file = names.sessionName(number);
  const stat = await disk.stat(file);
  // Another has overtaken it, and deleted it: the next look shows that one.
  if (stat === null || Math.abs(clock.now() - stat.changedAt) > deadAfterMs) return;
  const holder = await holderOf(disk.chunks(file)).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (hasEnded(holder, process)) return;
  const who = holder === null ? 'Another process' : `Process ${holder.pid} on ${holder.host}`;
  throw new ArchiveRefusedError(
    `${who} writes to this folder. If it has ended without a trace, wait a minute.`,
  );
}

function overtaken(): ArchiveRefusedError {
  return new ArchiveRefusedError(
    'Another process has taken the folder: nothing more was acknowledged.',
  );
}

/** Says each 5 s that the session's process lives, also while a segment is sealed. Returns what ends it. */
export function keepTouching(clock: Pick<Clock, 'after'>, session: Session): () => void {
  let isOver = false;
  let cancel: (() => void) | null = null;
  const wait = (): void => {
    if (isOver) return;
    cancel = clock.after(touchEveryMs, () => void session.touch().then(wait), 'background');
  };
  wait();
  return () => {
    isOver = true;
    cancel?.();
  };
}
