import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveRefusedError } from './refused';

/**
 * What a writer does in its folder, each a step that a crash may follow. Names are paths below the folder, with `/`. What
 * a file holds is on the disk when a step resolves; its name is after {@link ArchiveDisk.sync} of its folder.
 */
export interface ArchiveDisk {
  /** The names in a folder; none if it does not exist. */
  list(folder: string): Promise<string[]>;
  /** A small file; null if it does not exist. */
  read(name: string): Promise<string | null>;
  /** A file from this byte on, piece by piece. */
  chunks(name: string, from?: number): AsyncIterable<Buffer>;
  /** Bytes, and when it was last changed, in milliseconds since 1970; null if it does not exist. */
  stat(name: string): Promise<{ readonly bytes: number; readonly changedAt: number } | null>;
  /** Says that the file was changed then. */
  touch(name: string, at: number): Promise<void>;
  /** Creates a folder, if it does not exist; its name is on the disk when it resolves. */
  makeFolder(folder: string): Promise<void>;
  /** Writes a new file, for the owner alone unless `mode` says otherwise. */
  create(
    name: string,
    content: AsyncIterable<Buffer> | Iterable<Buffer | string>,
    mode?: number,
  ): Promise<void>;
  /** Appends to a file that exists; up to 64 KiB in one piece, so that nobody else's comes in between. */
  append(name: string, content: string | Buffer): Promise<void>;
  /** Cuts a file to this many bytes. */
  truncate(name: string, bytes: number): Promise<void>;
  /** Gives a file a second name. False if there is a file of that name. @throws ArchiveRefusedError where no disk has links. */
  link(from: string, to: string): Promise<boolean>;
  rename(from: string, to: string): Promise<void>;
  /** Deletes a file, if it exists. */
  remove(name: string): Promise<void>;
  /** The names in the folder are on the disk when it resolves. */
  sync(folder: string): Promise<void>;
}

/** Read and written by the owner alone: events name players. */
const ownMode = 0o600;
const longestSmallFile = 64 * 1024 * 1024;

/** A folder of the file system; it is created if it does not exist. @throws Error that names the path that cannot be one. */
export async function openDisk(folder: string): Promise<ArchiveDisk> {
  await makeFolders(folder);
  return diskAt(folder);
}

/** A folder that exists, or may exist later: of an anchor that is not mounted now. */
export function diskAt(folder: string): ArchiveDisk {
  return new FolderDisk(folder);
}

class FolderDisk implements ArchiveDisk {
  constructor(private readonly folder: string) {}

  async list(folder: string): Promise<string[]> {
    return (await orNull(fs.readdir(this.path(folder)))) ?? [];
  }

  async read(name: string): Promise<string | null> {
    const file = await orNull(fs.open(this.path(name), readFlags));
    if (file === null) return null;
    try {
      const { size } = await file.stat();
      if (size > longestSmallFile) throw new ArchiveRefusedError(`${name} is too long`);
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  }

  async *chunks(name: string, from = 0): AsyncGenerator<Buffer> {
    const file = await fs.open(this.path(name), readFlags);
    try {
      for (let at = from; ; ) {
        const bytes = Buffer.allocUnsafe(chunkBytes);
        const { bytesRead } = await file.read(bytes, 0, chunkBytes, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield bytes.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }

  async stat(name: string) {
    const found = await orNull(fs.stat(this.path(name)));
    return found && { bytes: found.size, changedAt: found.mtimeMs };
  }

  async touch(name: string, at: number): Promise<void> {
    await fs.utimes(this.path(name), at / 1000, at / 1000);
  }

  async makeFolder(folder: string): Promise<void> {
    try {
      await fs.mkdir(this.path(folder));
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    await this.sync(dirname(folder));
  }

  async create(
    name: string,
    content: AsyncIterable<Buffer> | Iterable<Buffer | string>,
    mode?: number,
  ) {
    await this.synced(name, 'wx', (file) => fs.writeFile(file, content), mode);
  }

  async append(name: string, content: string | Buffer): Promise<void> {
    // Not `a`: a session that a successor has deleted must not come back.
    const flags = constants.O_WRONLY | constants.O_APPEND;
    const bytes = Buffer.from(content);
    await this.synced(name, flags, async (file) => {
      if (bytes.length > onePiece) return file.writeFile(bytes);
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.length) await file.write(bytes, bytesWritten); // says why: no room
      if (bytesWritten < bytes.length) throw new Error(`${name} took a part of a line`);
    });
  }

  async truncate(name: string, bytes: number): Promise<void> {
    await this.synced(name, 'r+', (file) => file.truncate(bytes));
  }

  async link(from: string, to: string): Promise<boolean> {
    try {
      await fs.link(this.path(from), this.path(to));
      return true;
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EEXIST') return false;
      if (!noLinks.has(code)) throw error;
      throw new ArchiveRefusedError(
        `The file system of ${this.folder} has no hard links (${code}), which an archive needs: use a local file system such as ext4 or xfs.`,
      );
    }
  }

  rename(from: string, to: string): Promise<void> {
    return fs.rename(this.path(from), this.path(to));
  }

  remove(name: string): Promise<void> {
    return fs.rm(this.path(name), { force: true });
  }

  async sync(folder: string): Promise<void> {
    if (process.platform === 'win32') return; // no folder can be opened there
    await this.synced(folder, 'r', async () => undefined);
  }

  private path(name: string): string {
    return join(this.folder, name);
  }

  private async synced(
    name: string,
    flags: string | number,
    work: (file: fs.FileHandle) => Promise<unknown>,
    mode = ownMode,
  ): Promise<void> {
    const file = await fs.open(this.path(name), flags, mode);
    try {
      await work(file);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

/** Not `mkdir` with `recursive`: below /proc it never returns. */
async function makeFolders(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolders(parent);
  try {
    await fs.mkdir(folder);
    await new FolderDisk(parent).sync('.');
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await isFolder(folder))) return;
    throw new Error(`${folder} cannot be created: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** False for a path that does not exist. */
async function isFolder(path: string): Promise<boolean> {
  try {
    if ((await fs.stat(path)).isDirectory()) return true;
  } catch (error) {
    // ENOTDIR is the fault of a folder above it, which is named.
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return false;
    throw error;
  }
  throw new Error(`${path} is not a folder: name one, or a path that does not exist.`);
}

/** Null where a file or folder does not exist. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The code of a disk's error, such as ENOSPC; "undefined" for another. */
export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}

const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EXDEV']);
/** A link would lead out of the folder. */
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
const onePiece = 65_536;
const chunkBytes = 262_144;
