import {
  decodeLeaves,
  filterBytes,
  FindFilter,
  findKeysOf,
  type Leaves,
  leavesBytes,
  names,
  type SegmentRecord,
} from '../format';
import type { FolderFiles } from '../read/files';
import { type CompressedRead, eachCompressedLine } from '../read/lines';
import { Frontier, leafHash, LogFormatError, type Subtree } from '../tlog';
import { timeOfLine } from '../read/event-time';
import { type Findings, grouped } from './findings';
import type { LogState } from './log-state';

/** Where an event is: `index` in the log, from 0. */
export interface EventPlace {
  readonly file: string;
  readonly line: number;
  readonly index: number;
}

/** Gets each event of the log, in order. */
export type OnEvent = (line: Buffer, leaf: Buffer, place: EventPlace) => void;

/** What checking a segment needs. */
export interface SegmentContext {
  readonly files: FolderFiles;
  readonly log: LogState;
  readonly findings: Findings;
  readonly onEvent: OnEvent;
  /** The `first` of the segment before; null of the first. */
  readonly firstBefore: string | null;
}

/** What reading a segment's lines found. */
interface SegmentLines {
  readonly read: CompressedRead;
  readonly range: Frontier;
  readonly first: string | null;
  readonly last: string | null;
  /** Number of the first line whose hash differs from `.leaves`, or null. */
  readonly forged: number | null;
  /** Number of the first line that the filter hides, or null. */
  readonly hidden: number | null;
}

/**
 * Reads a segment line by line, compares it with its record, and extends the log by it.
 * @param signedRoot The root that the record's checkpoint states; null if its signature is wrong.
 */
export async function checkSegment(
  record: SegmentRecord,
  signedRoot: Buffer | null,
  context: SegmentContext,
): Promise<void> {
  const { findings } = context;
  const chunks = await chunksOf(record, context);
  if (chunks === null) return skipSegment(record, signedRoot, context);
  const beside = {
    leaves: await leavesOf(record, context),
    filter: await filterOf(record, context),
  };
  const lines = await readLines(chunks, record, beside, context);
  const { read, range, forged } = lines;
  const isSame = range.size === record.from + record.count && areSame(range.subtrees, record.range);
  if (read.fault !== null || !isSame) {
    findings.fault(record.file, ...contentFault(lines, record));
  } else if (read.sha256 !== record.sha256 || read.bytes !== record.bytes) {
    findings.fault(record.file, null, 'it is not the file that was sealed, though its lines are');
  }
  const isSigned = checkRoot(record, signedRoot, { isSame, forged }, context);
  if (!isSame || !isSigned) return;
  if (lines.first !== record.first || lines.last !== record.last) {
    findings.fault(names.recordName(record.from), null, 'first or last is not that of its events');
  }
  if (forged !== null) {
    findings.note(names.leavesName(record.file), null, 'it is damaged; the lines are as sealed');
  }
  if (lines.hidden !== null) {
    const what = `it hides the events of the segment from find, line ${lines.hidden} first`;
    findings.fault(names.findName(record.file), null, what);
  }
}

/** Extends the log by a segment whose lines are not read. */
export function skipSegment(
  record: SegmentRecord,
  signedRoot: Buffer | null,
  context: SegmentContext,
): void {
  context.log.lastAt = record.last;
  checkRoot(record, signedRoot, { isSame: false, forged: null }, context);
}

/** Compares the root after the segment with the signed one, and extends the log; false if it is another. */
function checkRoot(
  record: SegmentRecord,
  signedRoot: Buffer | null,
  { isSame, forged }: { readonly isSame: boolean; readonly forged: number | null },
  { log, findings }: SegmentContext,
): boolean {
  const root = log.rootWith(record.range);
  const isSigned = root === null || signedRoot === null || root.equals(signedRoot);
  if (!isSigned) {
    const file = isSame ? record.file : names.recordName(record.from);
    const isLine = isSame && forged !== null;
    const what = isLine ? forgedLine : 'its root is not the one that was signed';
    findings.fault(file, isLine ? forged : null, what);
  }
  // After a fault in the lines the record tells how the log went on, so that what follows can be checked.
  log.extend(isSigned ? record.range : null, record.from + record.count);
  log.compare(log.size, [], record.file);
  return isSigned;
}

async function readLines(
  chunks: AsyncIterable<Buffer>,
  record: SegmentRecord,
  { leaves, filter }: { readonly leaves: Leaves | null; readonly filter: FindFilter | null },
  { log, findings, onEvent, firstBefore }: SegmentContext,
): Promise<SegmentLines> {
  const { file, from, count } = record;
  const range = new Frontier(from);
  const lateBefore = firstBefore === null ? '' : dayBefore(firstBefore);
  let [first, last] = [null as string | null, null as string | null];
  let [forged, hidden] = [null as number | null, null as number | null];
  const { compression = 'gzip' } = names.readSegmentName(file) ?? {};
  const read = await eachCompressedLine(chunks, compression, (line, number) => {
    const leaf = leafHash(line);
    range.append(leaf);
    if (number > count) return false;
    if (forged === null && leaves?.has(number - 1, leaf) === false) forged = number;
    if (hidden === null && filter !== null && hides(filter, line)) hidden = number;
    const at = timeOfLine(line);
    if (at !== null) {
      log.lastAt = at;
      if (first === null || at < first) first = at;
      if (last === null || at > last) last = at;
      if (at < lateBefore) findings.note(file, number, `a late event: its time is ${at}`);
    }
    onEvent(line, leaf, { file, line: number, index: range.size - 1 });
    // What is wrong with a line is reported at the end of the segment, with its number.
    const isMiddle = log.nextSize <= range.size && number < count;
    if (isMiddle && forged === null) {
      log.compare(range.size, range.subtrees, file);
    }
    return true;
  });
  return { read, range, first, last, forged, hidden };
}

/** The line, if one can be named, and what is wrong. */
function contentFault(
  { read, range, forged }: SegmentLines,
  { from, count }: SegmentRecord,
): [line: number | null, what: string] {
  if (forged !== null) return [forged, forgedLine];
  if (range.size > from + count) return [count + 1, `sealed were only ${grouped(count)} lines`];
  if (read.fault !== null) return [read.lines + 1, brokenLine[read.fault]];
  if (range.size === from + count) return [null, 'its lines are not those that were sealed'];
  return [read.lines + 1, `the file ends here, sealed were ${grouped(count)} lines`];
}

const forgedLine = 'this line is not the one that was sealed';
const brokenLine = {
  torn: 'the line has no end',
  'too long': 'the line is longer than any event',
  damaged: 'the compressed data are damaged',
} as const;

/** The content; null, with a fault, if there is no such file. */
async function chunksOf(
  { file }: SegmentRecord,
  { files, findings }: SegmentContext,
): Promise<AsyncIterable<Buffer> | null> {
  try {
    const chunks = await files.chunks(file);
    if (chunks === null) findings.fault(file, null, 'the file is missing');
    return chunks;
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    findings.fault(file, null, error.message);
    return null;
  }
}

/** The leaves beside the file; null, with a note, if they are lost or damaged. */
async function leavesOf(
  record: SegmentRecord,
  { files, findings }: SegmentContext,
): Promise<Leaves | null> {
  const { file, from, count } = record;
  const path = names.leavesName(file);
  let what = 'the file is missing';
  try {
    const bytes = await files.bytes(path, leavesBytes(from, count));
    if (bytes !== null) return decodeLeaves(bytes, record);
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    what = error.message;
  }
  findings.note(path, null, `${what}: without it no forged line can be named`);
  return null;
}

/** The filter beside the file; null if it is lost, or, with a note, if it is damaged: find does not use it then. */
async function filterOf(
  { file, count }: SegmentRecord,
  { files, findings }: SegmentContext,
): Promise<FindFilter | null> {
  const path = names.findName(file);
  try {
    const bytes = await files.bytes(path, filterBytes(count));
    return bytes === null ? null : FindFilter.decode(bytes, count);
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    findings.note(path, null, `${error.message}: find reads all of the segment`);
    return null;
  }
}

/** Whether a filter says that an event is not in its segment. */
function hides(filter: FindFilter, line: Buffer): boolean {
  try {
    return !filter.mayHave(findKeysOf(line));
  } catch {
    return false; // No event: nobody can find it.
  }
}

function areSame(one: readonly Subtree[], other: readonly Subtree[]): boolean {
  return one.length === other.length && one.every(({ hash }, at) => other[at]?.hash.equals(hash));
}

function dayBefore(time: string): string {
  return new Date(Date.parse(time) - 86_400_000).toISOString();
}
