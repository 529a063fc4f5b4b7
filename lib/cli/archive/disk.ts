import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../terminal/failure';

/** What the archive does in its folder, each a step that a crash may follow. */
export interface ArchiveDisk {
  /** The names in the folder. */
  names(): Promise<string[]>;
  /** The content of a small file; null if it does not exist. */
  read(name: string): Promise<string | null>;
  /** The content of a file, piece by piece. */
  chunks(name: string): AsyncIterable<Buffer>;
  /** Bytes of a file. */
  size(name: string): Promise<number>;
  /** Appends, creating the file; on the disk when it resolves, the file's name only after {@link sync}. */
  append(name: string, text: string): Promise<void>;
  /** Cuts the file to this many bytes; on the disk when it resolves. */
  truncate(name: string, bytes: number): Promise<void>;
  /** Writes a new file; on the disk when it resolves, its name only after {@link sync}. */
  write(name: string, content: AsyncIterable<Buffer> | Iterable<string>): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Deletes a file, if it exists. */
  remove(name: string): Promise<void>;
  /** The names in the folder are on the disk when it resolves. */
  sync(): Promise<void>;
}

/** Read and written by the owner alone: events name players. */
const mode = 0o600;

/** A folder; writing creates it. @throws Error that names the path that cannot be one. */
export async function openFolder(folder: string, to: 'read' | 'write'): Promise<ArchiveDisk> {
  if (to === 'write') await makeFolder(folder);
  else await readdir(folder);
  const pathOf = (name: string): string => join(folder, name);
  const synced = async (
    name: string,
    flags: string,
    work: (file: Awaited<ReturnType<typeof open>>) => Promise<unknown>,
  ): Promise<void> => {
    const file = await open(pathOf(name), flags, mode);
    try {
      await work(file);
      await file.sync();
    } finally {
      await file.close();
    }
  };
  return {
    names: () => readdir(folder),
    read: (name) =>
      readFile(pathOf(name), 'utf8').catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return null;
        throw error;
      }),
    chunks: (name) => createReadStream(pathOf(name)),
    size: async (name) => (await stat(pathOf(name))).size,
    append: (name, text) => synced(name, 'a', (file) => file.appendFile(text)),
    truncate: (name, bytes) => synced(name, 'r+', (file) => file.truncate(bytes)),
    write: (name, content) => synced(name, 'w', (file) => writeFile(file, content)),
    rename: (from, name) => rename(pathOf(from), pathOf(name)),
    remove: (name) => rm(pathOf(name), { force: true }),
    sync: async () => {
      if (process.platform === 'win32') return; // no folder can be opened there
      await synced('.', 'r', async () => undefined);
    },
  };
}

/** Not `mkdir` with `recursive`: below /proc it never returns. */
async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  try {
    await mkdir(folder);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await isFolder(folder))) return;
    throw new Error(`${folder} cannot be created: ${messageOf(error)}`, { cause: error });
  }
}

/** False for a path that does not exist. */
async function isFolder(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true;
  } catch (error) {
    // ENOTDIR is the fault of a folder above it, which is named.
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return false;
    throw error;
  }
  throw new Error(`${path} is not a folder: name one, or a path that does not exist.`);
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}
