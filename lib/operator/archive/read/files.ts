import { constants } from 'node:fs';
import { type FileHandle, open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { LogFormatError } from '../tlog';
import { ArchiveUnreadableError } from './unreadable';

/** A path below the folder, with `/`. */
export interface FoundPath {
  readonly path: string;
  /** False for a link, a device, or a folder that no archive has. */
  readonly isPlain: boolean;
}

/** An open file: it can be read after its name is gone. */
export interface HeldFile {
  /** Its length when it was opened. */
  readonly bytes: number;
  /** Piece by piece, from its beginning; at most this many bytes. @throws ArchiveUnreadableError */
  chunks(most?: number): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** Reads files of a folder that may have been tampered with: plain files only, within bounds. */
export class FolderFiles {
  constructor(readonly folder: string) {}

  /**
   * A small file as text; null if it does not exist.
   * @throws LogFormatError if it is longer than `most` bytes, no plain file or no UTF-8; ArchiveUnreadableError.
   */
  async text(path: string, most: number): Promise<string | null> {
    const bytes = await this.bytes(path, most);
    if (bytes === null) return null;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      throw new LogFormatError('the file is not UTF-8', { cause: error });
    }
  }

  /** A small file; else as {@link text}. */
  async bytes(path: string, most: number): Promise<Buffer | null> {
    const file = await this.open(path);
    if (file === null) return null;
    try {
      const { size } = await file.stat();
      if (size > most) throw new LogFormatError(`the file is longer than ${most} bytes`);
      const bytes = Buffer.alloc(size);
      let length = 0;
      while (length < size) {
        const { bytesRead } = await file.read(bytes, length, size - length, length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return bytes.subarray(0, length);
    } catch (error) {
      throw asUnreadable(error, path);
    } finally {
      await file.close();
    }
  }

  /** A file piece by piece; null if it does not exist. @throws LogFormatError, ArchiveUnreadableError */
  async chunks(path: string): Promise<AsyncIterable<Buffer> | null> {
    const held = await this.hold(path);
    return held === null ? null : closing(held);
  }

  /** The end of a file, at most so many bytes; null if it does not exist. @throws LogFormatError, ArchiveUnreadableError */
  async end(path: string, most: number): Promise<Buffer | null> {
    const file = await this.open(path);
    if (file === null) return null;
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(Math.min(size, most)),
        position: Math.max(0, size - most),
      });
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      throw asUnreadable(error, path);
    } finally {
      await file.close();
    }
  }

  /** Opens a file, which the caller closes; null if it does not exist. @throws LogFormatError, ArchiveUnreadableError */
  async hold(path: string): Promise<HeldFile | null> {
    const file = await this.open(path);
    if (file === null) return null;
    const { size } = await file.stat();
    return {
      bytes: size,
      chunks: (most = Number.POSITIVE_INFINITY) => chunksOf(file, path, most),
      close: () => file.close(),
    };
  }

  /** Every file below the folder, and every other entry. @throws ArchiveUnreadableError */
  async *paths(): AsyncGenerator<FoundPath> {
    for await (const { name, kind } of this.entries('.')) {
      if (kind !== 'folder') yield { path: name, isPlain: kind === 'file' };
      else if (!/^(?:segments|sessions|checkpoints\.d|\d{4}-\d\d-\d\d)$/.test(name)) {
        yield { path: name, isPlain: false };
      } else {
        for (const found of await this.names(name)) {
          yield { path: `${name}/${found.name}`, isPlain: found.kind === 'file' };
        }
      }
    }
  }

  /** What is in a folder below; nothing if it does not exist. @throws ArchiveUnreadableError */
  async names(
    below: string,
  ): Promise<readonly { name: string; kind: 'file' | 'folder' | 'other' }[]> {
    const names = [];
    for await (const entry of this.entries(below)) names.push(entry);
    return names;
  }

  private async *entries(
    below: string,
  ): AsyncGenerator<{ name: string; kind: 'file' | 'folder' | 'other' }> {
    try {
      for await (const entry of await opendir(join(this.folder, below))) {
        const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
        yield { name: entry.name, kind };
      }
    } catch (error) {
      if (below !== '.' && codeOf(error) === 'ENOENT') return;
      throw asUnreadable(error, below);
    }
  }

  private async open(path: string): Promise<FileHandle | null> {
    let file: FileHandle;
    try {
      file = await open(join(this.folder, path), flags);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null;
      if (['ELOOP', 'ENXIO'].includes(codeOf(error))) throw notPlain();
      throw asUnreadable(error, path);
    }
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw notPlain();
  }
}

async function* chunksOf(file: FileHandle, path: string, most: number): AsyncGenerator<Buffer> {
  try {
    for (let from = 0; from < most; ) {
      // Lines are pieces of it, so each is a new one.
      const bytes = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await file.read(bytes, 0, Math.min(chunkBytes, most - from), from);
      if (bytesRead === 0) return;
      from += bytesRead;
      yield bytes.subarray(0, bytesRead);
    }
  } catch (error) {
    throw asUnreadable(error, path);
  }
}

async function* closing(held: HeldFile): AsyncGenerator<Buffer> {
  try {
    yield* held.chunks();
  } finally {
    await held.close();
  }
}

function notPlain(): LogFormatError {
  return new LogFormatError('it is no plain file');
}

/** An error of the disk, as one of this folder; every other error is kept. */
function asUnreadable(error: unknown, path: string): Error {
  const isDisk = error instanceof Error && 'syscall' in error;
  if (!isDisk) return error as Error;
  const what = path === '.' ? 'the folder' : path;
  return new ArchiveUnreadableError(`${what} cannot be read (${codeOf(error)})`, { cause: error });
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}

/** A link would lead out of the folder; a pipe would block for ever. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const chunkBytes = 131_072;
