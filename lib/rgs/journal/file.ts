import { basename, dirname, join } from 'node:path';
import { type Logger, safeLogger } from '../../platform';
import { checkOptionNames, type OptionNames } from '../../platform/validation';
import { checkPart } from '../../platform/validation/option-values';
import { type End, temporaryPath } from './compaction';
import { type Disk, type DiskFile, linesOf, systemDisk } from './disk';
import { type Journal, JournalError, type JournalEvent } from './port';
import { eventsIn } from './line';
import { type Lock, lock, type Owner, thisProcess } from './lock';
import { damaged, verify } from './verify';
import { Writer } from './writer';

/** Options of {@link createFileJournal}. */
export interface FileJournalOptions {
  /** The file; created if there is none. Its folder must exist. */
  readonly path: string;
  /** `needsCompaction` is true above this many bytes, 64 MiB unless set, if the file has doubled since the snapshot. */
  readonly compactAboveBytes?: number;
  /** Silent unless set. */
  readonly logger?: Logger;
}

const optionNames: OptionNames<FileJournalOptions> = {
  path: true,
  compactAboveBytes: true,
  logger: true,
};

const defaultCompactAboveBytes = 64 * 1024 * 1024;

/**
 * Opens a journal in a file (B4): one line an append, durable by fdatasync, which appends that arrive
 * together share. The file belongs to one process, by a lock file next to it. A torn last line, which no
 * append acknowledged, is cut off.
 * @throws TypeError for a wrong option; JournalError CANNOT_OPEN, LOCKED or DAMAGED, each saying what to do.
 */
export async function createFileJournal(options: FileJournalOptions): Promise<Journal> {
  checkOptionNames('createFileJournal', options, optionNames);
  return openFileJournal(options, systemDisk, thisProcess());
}

/** The same on a given disk, for a given process. */
export async function openFileJournal(
  { path: given, compactAboveBytes = defaultCompactAboveBytes, logger: log }: FileJournalOptions,
  disk: Disk,
  owner: Owner,
): Promise<Journal> {
  checkOptions(given, compactAboveBytes);
  checkPart('logger', log, ['info', 'warn', 'error']);
  const logger = safeLogger(log);
  const path = await opening(given, () => resolvePath(disk, given));
  const held = await opening(given, () => lock(disk, path, owner));
  if (held.takenOver.length > 0) {
    logger.warn({ path, pids: held.takenOver }, 'journal lock of a dead process taken over');
  }
  try {
    const { file, end } = await opening(given, () => openVerified(disk, path, logger));
    const writer = new Writer({ disk, path, file, end });
    return new FileJournal({ disk, path, writer, end, held, compactAboveBytes, logger });
  } catch (error) {
    await held.release();
    throw error;
  }
}

function checkOptions(path: unknown, compactAboveBytes: number): void {
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    throw new TypeError('path must be the path of a file');
  }
  if (!Number.isSafeInteger(compactAboveBytes) || compactAboveBytes < 0) {
    throw new TypeError('compactAboveBytes must be a whole number of bytes');
  }
}

/** The path without symbolic links, so that two names of one file have one lock. */
async function resolvePath(disk: Disk, path: string): Promise<string> {
  const folder = await disk.resolve(dirname(path));
  const file = join(folder, basename(path));
  return disk.resolve(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return file;
    throw error;
  });
}

/** Opens the file, cuts off a torn last line, and makes durable what it holds: a crash may have come before the sync. */
async function openVerified(
  disk: Disk,
  path: string,
  logger: Logger,
): Promise<{ file: DiskFile; end: End }> {
  const file = await disk.open(path, 'any');
  try {
    const { end, torn } = await verify(file, path);
    if (torn > 0) {
      await file.truncate(end.bytes);
      logger.warn(
        { path, line: end.lines + 1, bytes: torn },
        'journal: the last line was torn by a crash; cut off, as no append acknowledged it',
      );
    }
    await file.sync();
    await disk.remove(temporaryPath(path));
    await disk.syncFolder(dirname(path));
    return { file, end };
  } catch (error) {
    await file.close().catch(() => {});
    throw error;
  }
}

interface Parts {
  readonly disk: Disk;
  readonly path: string;
  readonly writer: Writer;
  /** Of what was there when it was opened. */
  readonly end: End;
  readonly held: Lock;
  readonly compactAboveBytes: number;
  readonly logger: Logger;
}

class FileJournal implements Journal {
  /** Bytes right after the latest snapshot, or its failure. */
  private bytesBefore = 0;
  private isWritten = false;
  private closing: Promise<void> | null = null;

  constructor(private readonly parts: Parts) {}

  append(events: readonly JournalEvent[]): Promise<void> {
    this.isWritten = true;
    return this.parts.writer.append(events);
  }

  async *replay(): AsyncGenerator<JournalEvent> {
    const { disk, path, end } = this.parts;
    if (this.isWritten) throw new TypeError('replay must be read before the first append');
    const file = await disk.open(path, 'existing');
    try {
      let n = 0;
      for await (const { bytes } of linesOf(file, end.bytes)) yield* read(bytes, ++n, path);
    } finally {
      await file.close();
    }
  }

  async compact(snapshot: Iterable<JournalEvent>): Promise<void> {
    this.isWritten = true;
    const { writer, path, logger } = this.parts;
    const before = writer.bytes;
    try {
      await writer.compact(snapshot);
      logger.info({ path, before, bytes: writer.bytes }, 'journal compacted');
    } finally {
      this.bytesBefore = writer.bytes;
    }
  }

  needsCompaction(): boolean {
    const { writer, compactAboveBytes } = this.parts;
    const limit = Math.max(compactAboveBytes, 2 * this.bytesBefore);
    return !writer.isCompacting && writer.bytes > limit;
  }

  close(): Promise<void> {
    this.closing ??= this.parts.writer.close().then(() => this.parts.held.release());
    return this.closing;
  }
}

function read(line: Buffer, n: number, path: string): readonly JournalEvent[] {
  try {
    return eventsIn(line, n);
  } catch (error) {
    throw damaged(path, n, null, 'its events are not JSON', error);
  }
}

/** Does a step of opening the journal; what the disk refuses becomes one clear line. */
async function opening<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof JournalError || code === undefined) throw error;
    const message = `Cannot open the journal ${path}: ${reasons[code] ?? `the disk answered ${code}`}.`;
    throw new JournalError('CANNOT_OPEN', message, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist; create it',
  ENOTDIR: 'its folder is a file',
  EISDIR: 'it is a folder',
  NOT_REGULAR: 'it is a pipe or a device',
  EACCES: 'this user may not write to the file and its folder',
  EPERM: 'this user may not write to the file and its folder',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
