import { names, type SegmentRecord } from '../format';
import type { FolderFiles } from '../read/files';
import { eachCompressedLine } from '../read/lines';
import { readRecord, recordStarts } from '../read/open-archive';
import { type HeldSession, holdNewestSession } from '../read/session';
import { sessionItems } from '../read/session-items';
import { ArchiveUnreadableError } from '../read/unreadable';
import { LogFormatError } from '../tlog';

/** A line of the log. */
export interface LogLine {
  /** Index in the log, from 0. */
  readonly index: number;
  readonly file: string;
  readonly line: number;
  /** The event as it was archived: one line of JSON. */
  readonly text: string;
}

/**
 * The records, in order and without a gap.
 * @throws ArchiveUnreadableError if one is missing or damaged: verify names it.
 */
export async function* recordsInOrder(files: FolderFiles): AsyncGenerator<SegmentRecord> {
  let next = 0;
  for (const from of await recordStarts(files)) {
    const name = names.recordName(from);
    const record = await readRecordAt(files, from);
    if (record === null || from !== next) {
      throw new ArchiveUnreadableError(`${name} does not begin at ${next}: verify the archive`);
    }
    next = from + record.count;
    yield record;
  }
}

/**
 * Looks at each line of a segment with its index. Answers whether the file is the one that was sealed.
 * @throws ArchiveUnreadableError if the file cannot be read to its end: verify names the line.
 */
export async function eachEvent(
  files: FolderFiles,
  { file, from, count, sha256 }: SegmentRecord,
  look: (line: Buffer, index: number, number: number) => void,
): Promise<boolean> {
  const chunks = await asUnreadable(file, () => files.chunks(file));
  const { compression = 'gzip' } = names.readSegmentName(file) ?? {};
  if (chunks === null) throw new ArchiveUnreadableError(`${file} is missing`);
  const read = await eachCompressedLine(chunks, compression, (line, number) => {
    if (number > count) return false;
    look(line, from + number - 1, number);
    return true;
  });
  const { lines, fault } = read;
  if (fault !== null || lines !== count) {
    throw new ArchiveUnreadableError(`${file} is damaged after line ${lines}: verify the archive`);
  }
  return read.sha256 === sha256;
}

/**
 * Looks at each line that is not sealed, with its index. @throws ArchiveUnreadableError if a line is damaged, if these
 * lines were sealed meanwhile, and if the log has fewer events than were signed.
 */
export async function eachUnsealedEvent(
  files: FolderFiles,
  { sealed, signed }: { readonly sealed: number; readonly signed: number },
  look: (line: Buffer, index: number, place: { file: string; line: number }) => void,
): Promise<void> {
  const held = await holdNewestSession(files, (path, error) => {
    throw new ArchiveUnreadableError(`${path}: ${error.message}`, { cause: error });
  });
  let size = sealed;
  if (held !== null) {
    try {
      size = await looked(held, sealed, look);
    } finally {
      await held.file.close();
    }
  }
  if (size === sealed && (await readRecordAt(files, sealed)) !== null) {
    throw new ArchiveUnreadableError(sealedMeanwhile);
  }
  if (size < signed) {
    throw new ArchiveUnreadableError(
      `the log was signed at ${signed} events, and has ${size}: verify the archive`,
    );
  }
}

/** The size of the log with the events of the session. */
async function looked(
  { path, file }: HeldSession,
  sealed: number,
  look: (line: Buffer, index: number, place: { file: string; line: number }) => void,
): Promise<number> {
  let next = sealed;
  for await (const item of sessionItems(file.chunks())) {
    if (item.kind === 'damage') {
      throw new ArchiveUnreadableError(`${path} line ${item.line}: ${item.what}`);
    }
    if (item.kind !== 'batch') continue;
    const { lines, size, firstLine } = item;
    const from = size - lines.length;
    if (from > next) throw new ArchiveUnreadableError(sealedMeanwhile);
    next = Math.max(next, size);
    for (const [at, line] of lines.entries()) {
      if (from + at >= sealed) look(line, from + at, { file: path, line: firstLine + at });
    }
  }
  return next;
}

const sealedMeanwhile = 'a segment was sealed meanwhile: try again';

function readRecordAt(files: FolderFiles, from: number): Promise<SegmentRecord | null> {
  return asUnreadable(names.recordName(from), () => readRecord(files, from));
}

async function asUnreadable<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    throw new ArchiveUnreadableError(`${name}: ${error.message}`, { cause: error });
  }
}
