import { constants, type FileHandle, open, readdir, realpath, rename, rm } from 'node:fs/promises';

/** A file as the journal uses it. Every error has the `code` of Node's. */
export interface DiskFile {
  /** Resolves to the number of bytes that were read; 0 at the end. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Resolves to the number of bytes that were written: all, or fewer. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  /** Makes durable what was written, and the length. */
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** The part of a file system that the journal uses. */
export interface Disk {
  /** Opens for reading and writing. `new` must create the file, `existing` must find it, `any` may do either. */
  open(path: string, what: 'new' | 'existing' | 'any'): Promise<DiskFile>;
  /** Replaces the file `to`, atomically. */
  rename(from: string, to: string): Promise<void>;
  /** Also if there is none. */
  remove(path: string): Promise<void>;
  /** Makes durable which files the folder holds. */
  syncFolder(folder: string): Promise<void>;
  /** The names of the files in the folder. */
  list(folder: string): Promise<readonly string[]>;
  /** The path without symbolic links; the file must exist. */
  resolve(path: string): Promise<string>;
}

/** Read and written by the owner alone: events name players. */
const mode = 0o600;
const { O_RDWR, O_CREAT, O_EXCL } = constants;
const flags = { new: O_RDWR | O_CREAT | O_EXCL, existing: O_RDWR, any: O_RDWR | O_CREAT } as const;

/** The machine's own file system. */
export const systemDisk: Disk = Object.freeze({
  open: async (path: string, what: keyof typeof flags) => {
    const handle = await open(path, flags[what], mode);
    try {
      if (!(await handle.stat()).isFile()) throw notRegular();
      return new SystemFile(handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  },
  rename,
  remove: (path: string) => rm(path, { force: true }),
  syncFolder: async (folder: string) => {
    if (process.platform === 'win32') return; // no folder can be opened there
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  list: (folder: string) => readdir(folder),
  resolve: (path: string) => realpath(path),
});

/** A pipe or a device is never read to its end. */
function notRegular(): Error {
  return Object.assign(new Error('not a regular file'), { code: 'NOT_REGULAR' });
}

class SystemFile implements DiskFile {
  constructor(private readonly handle: FileHandle) {}

  async read(into: Uint8Array, position: number): Promise<number> {
    return (await this.handle.read(into, 0, into.length, position)).bytesRead;
  }

  async write(bytes: Uint8Array, position: number): Promise<number> {
    return (await this.handle.write(bytes, 0, bytes.length, position)).bytesWritten;
  }

  sync(): Promise<void> {
    return this.handle.datasync();
  }

  truncate(length: number): Promise<void> {
    return this.handle.truncate(length);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/**
 * Writes all the bytes at a position, however many a single write takes.
 * @throws Error of the disk; part of them may be written.
 */
export async function writeAll(file: DiskFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const count = await file.write(bytes.subarray(written), position + written);
    if (count <= 0) throw new Error('The disk took no more bytes.');
    written += count;
  }
}

/** A line of a file, without its line feed. */
export interface Line {
  readonly bytes: Buffer;
  /** Of its first byte in the file. */
  readonly start: number;
  /** False for what comes after the last line feed. */
  readonly isEnded: boolean;
}

const chunkBytes = 262_144;
const lineFeed = 0x0a;

/** The lines of a file up to this byte, read piece by piece; then what comes after the last line feed, if anything. */
export async function* linesOf(file: DiskFile, until = Infinity): AsyncGenerator<Line> {
  const pieces: Buffer[] = [];
  let start = 0;
  let position = 0;
  while (position < until) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, until - position));
    const count = await file.read(chunk, position);
    if (count <= 0) break;
    position += count;
    let from = 0;
    for (;;) {
      const end = chunk.subarray(0, count).indexOf(lineFeed, from);
      if (end < 0) break;
      const last = chunk.subarray(from, end);
      const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces.splice(0), last]);
      yield { bytes, start, isEnded: true };
      start += bytes.length + 1;
      from = end + 1;
    }
    if (from < count) pieces.push(chunk.subarray(from, count));
  }
  if (pieces.length > 0) yield { bytes: Buffer.concat(pieces), start, isEnded: false };
}
