import { posix } from 'node:path';
import { checkpointsEntry, names, splitCheckpoints } from '../format';
import {
  type Checkpoint,
  LogFormatError,
  longestNote,
  type NoteKey,
  parseCheckpoint,
  signersOf,
} from '../tlog';
import { notesOf } from '../read/heads';
import { type ArchiveDisk, codeOf } from './disk';
import type { GrowingLog } from './growing-log';
import { damaged, sealedRoot } from './sealed';

/** The end of the file is read, not all of it: it grows by a checkpoint a minute, for years. */
const readBytes = 4 * longestNote;

/** Others read it too, such as the administrator of an anchor: it names nobody. */
const publicMode = 0o644;

/** The file `checkpoints` of a folder: the archive's own, or that of an anchor. */
export class CheckpointFile {
  #latest: Checkpoint | null;

  private constructor(
    private readonly disk: Pick<ArchiveDisk, 'append'>,
    private readonly file: string,
    latest: Checkpoint | null,
    /** Of the last ones, the checkpoint of the log with the greatest size that none of the keys has signed. */
    readonly strange: Checkpoint | null = null,
  ) {
    this.#latest = latest;
  }

  /** Of the last ones, the checkpoint with the greatest size; null without any. */
  get latest(): Checkpoint | null {
    return this.#latest;
  }

  /**
   * Opens the file for the log of these keys; cuts off what a crash left torn. Without keys the file is of this log
   * alone, and everything in it counts.
   * @throws ArchiveRefusedError if it is damaged.
   */
  static async open(
    disk: ArchiveDisk,
    origin: string,
    keys: readonly NoteKey[] | null,
    folder = '.',
  ): Promise<CheckpointFile> {
    const name = posix.join(folder, names.checkpointsName);
    const stat = await disk.stat(name);
    if (stat === null) {
      await disk.create(name, [], publicMode).catch((error: unknown) => {
        // Of a writer that was overtaken.
        if (codeOf(error) !== 'EEXIST') throw error;
      });
      await disk.sync(folder);
      return new CheckpointFile(disk, name, null);
    }
    const from = Math.max(0, stat.bytes - readBytes);
    const chunks: Buffer[] = [];
    for await (const chunk of disk.chunks(name, from)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    // Behind an empty line is a signature, or the next checkpoint.
    const start = from === 0 ? 0 : bytes.indexOf(`\n\n${origin}\n`) + 2;
    try {
      if (start === 1 && keys === null) throw new LogFormatError('its end is no checkpoint');
      const greatest = new Greatest(origin, keys);
      if (start === 1) await greatest.addAll(disk.chunks(name));
      else {
        const end = from + start + greatest.addWhole(bytes.subarray(start).toString());
        if (end < stat.bytes) await cutOff(disk, name, end);
      }
      return new CheckpointFile(disk, name, greatest.latest, greatest.strange);
    } catch (error) {
      if (error instanceof LogFormatError) throw damaged(name, error.message);
      throw error;
    }
  }

  /** Adds a signed checkpoint. @throws LogFormatError for one that nobody could read. */
  async add(note: string): Promise<void> {
    const checkpoint = parseCheckpoint(note);
    await this.disk.append(this.file, checkpointsEntry(note));
    this.#latest = checkpoint;
  }
}

/** @throws Error with the code of the disk, such as EPERM of write-once storage. */
async function cutOff(disk: ArchiveDisk, name: string, end: number): Promise<void> {
  try {
    await disk.truncate(name, end);
  } catch (error) {
    const why = `${name} ends in a torn checkpoint, which cannot be cut off: ${(error as Error).message}`;
    throw Object.assign(new Error(why, { cause: error }), { code: codeOf(error) });
  }
}

/** The checkpoints of a log with the greatest size: of its keys, and strange. */
class Greatest {
  latest: Checkpoint | null = null;
  strange: Checkpoint | null = null;

  constructor(
    private readonly origin: string,
    private readonly keys: readonly NoteKey[] | null,
  ) {}

  /** Adds the notes of a file that many logs share, and none of this one of late. */
  async addAll(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const { note, isOpen } of notesOf(chunks)) {
      if (isOpen) throw new LogFormatError('its end is no checkpoint');
      this.add(note);
    }
  }

  /** Adds the whole notes of a text; answers where the last one ends, in bytes. */
  addWhole(text: string): number {
    let end = 0;
    for (const entry of splitCheckpoints(text)) {
      end = entry.end;
      this.add(entry.note);
    }
    return Buffer.byteLength(text.slice(0, end));
  }

  private add(note: string): void {
    const checkpoint = parseCheckpoint(note);
    const { latest, strange, origin, keys } = this;
    if (checkpoint.origin !== origin) return;
    if (keys === null || signersOf(checkpoint, keys).length > 0) {
      if (checkpoint.size >= (latest?.size ?? 0)) this.latest = checkpoint;
    } else if (checkpoint.size >= (strange?.size ?? 0)) this.strange = checkpoint;
  }
}

/** The log must continue what was signed: a checkpoint of another log would contradict what is anchored. */
export async function refuseFork(
  disk: ArchiveDisk,
  { latest }: CheckpointFile,
  log: GrowingLog,
  roots: ReadonlyMap<number, Buffer>,
): Promise<void> {
  if (latest === null) return;
  const { size, root } = latest;
  if (size > log.size) {
    throw damaged('The folder', `it was signed at ${size} events, and has ${log.size}`);
  }
  const sealed = size <= log.sealedSize ? await sealedRoot(disk, size) : null;
  const known = sealed ?? roots.get(size);
  if (known !== undefined && !known.equals(root)) {
    throw damaged('The folder', `its first ${size} events are other than those that were signed`);
  }
}

/** Writes the reply of a time authority under its size, whole or not at all; one that is there stays. */
export async function keepTimestamp(
  { disk, token }: { readonly disk: ArchiveDisk; readonly token: string },
  size: number,
  reply: Buffer,
): Promise<void> {
  const name = names.timestampName(size);
  const temporary = names.unfinishedName(`${name}.${token}`);
  await disk.makeFolder(names.timestampsFolder);
  await disk.remove(temporary);
  await disk.create(temporary, [reply]);
  await disk.link(temporary, name);
  await disk.remove(temporary);
  await disk.sync(names.timestampsFolder);
}
