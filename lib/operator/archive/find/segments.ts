import { names, type SegmentRecord } from '../format';
import type { FolderFiles } from '../read/files';
import { eachCompressedLine } from '../read/lines';
import { readRecord, recordStarts } from '../read/open-archive';
import { newestWholeSession, readSession } from '../read/session';
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
 * Looks at each line of a segment with its index.
 * @throws ArchiveUnreadableError if the file cannot be read to its end: verify names the line.
 */
export async function eachEvent(
  files: FolderFiles,
  { file, from, count }: SegmentRecord,
  look: (line: Buffer, index: number, number: number) => void,
): Promise<void> {
  const chunks = await asUnreadable(file, () => files.chunks(file));
  const { compression = 'gzip' } = names.readSegmentName(file) ?? {};
  if (chunks === null) throw new ArchiveUnreadableError(`${file} is missing`);
  const { lines, fault } = await eachCompressedLine(chunks, compression, (line, number) => {
    if (number > count) return false;
    look(line, from + number - 1, number);
    return true;
  });
  if (fault !== null || lines !== count) {
    throw new ArchiveUnreadableError(`${file} is damaged after line ${lines}: verify the archive`);
  }
}

/**
 * Looks at each line that is not sealed, with its index. @throws ArchiveUnreadableError if a line is damaged, and if these
 * lines were sealed meanwhile.
 */
export async function eachUnsealedEvent(
  files: FolderFiles,
  sealed: number,
  look: (line: Buffer, index: number, place: { file: string; line: number }) => void,
): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    const path = await newestWholeSession(files);
    if (path === null) return;
    let next = sealed;
    let held: { line: Buffer; number: number }[] = [];
    const isThere = await asUnreadable(path, () =>
      readSession(files, path, {
        onEvent: (line, number) => held.push({ line: Buffer.from(line), number }),
        onBatch: ({ from, size }) => {
          if (from > next) throw new ArchiveUnreadableError(sealedMeanwhile);
          next = Math.max(next, size);
          for (const [at, { line, number }] of held.entries()) {
            if (from + at >= sealed) look(line, from + at, { file: path, line: number });
          }
          held = [];
        },
      }),
    );
    if (isThere && next > sealed) return;
    if ((await readRecordAt(files, sealed)) !== null) {
      throw new ArchiveUnreadableError(sealedMeanwhile);
    }
    if (isThere) return;
  }
  throw new ArchiveUnreadableError('the archive changes too fast: try again');
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
