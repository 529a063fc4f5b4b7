import { timeOf } from '../find/event-query';
import { names, type SegmentRecord } from '../format';
import type { FolderFiles } from '../read/files';
import { readRecord, recordStarts } from '../read/open-archive';
import { LogFormatError, parseCheckpoint } from '../tlog';
import { type Findings, grouped } from './findings';
import type { KeyRing } from './key-ring';
import type { ListedFiles } from './listing';
import type { LogState } from './log-state';
import { checkSegment, type OnEvent, skipSegment } from './segment';

/** Whether the lines of a segment are read. */
export type ReadsSegment = (record: SegmentRecord) => boolean | Promise<boolean>;

/** @throws TypeError for a wrong time. */
export function readsWithin(options: {
  readonly from?: string;
  readonly to?: string;
}): ReadsSegment {
  const [from, to] = [timeOf('from', options.from), timeOf('to', options.to)];
  return ({ first, last }) => (from === null || last >= from) && (to === null || first <= to);
}

/** What the walk over the records keeps. */
export interface RecordsState {
  readonly ring: KeyRing;
  readonly listed: ListedFiles;
  /** Which segments are read line by line; of the others the records. */
  readonly reads: ReadsSegment;
  readonly counts: {
    segments: number;
    segmentsRead: number;
    /** Of the record before: its session and its `first`. */
    session: number;
    firstBefore: string | null;
    /** Of all records: the least `first` and the greatest `last`. */
    firstAt: string | null;
    lastAt: string | null;
  };
}

/** The counts before the first record. */
export function countsOfNone(): RecordsState['counts'] {
  return {
    segments: 0,
    segmentsRead: 0,
    session: 0,
    firstBefore: null,
    firstAt: null,
    lastAt: null,
  };
}

/** Checks the segments by their records, in order and without a gap. */
export async function checkRecords(
  context: { files: FolderFiles; log: LogState; findings: Findings; onEvent: OnEvent },
  state: RecordsState,
): Promise<void> {
  const { files, log, findings } = context;
  for (const from of await recordStarts(files)) {
    const record = await recordOrFault(files, from, findings);
    if (from < log.size) {
      findings.fault(names.recordName(from), null, `it begins before ${grouped(log.size)}`);
      if (record !== null) state.listed.add(record.file, record.sha256);
      continue;
    }
    if (from > log.size) {
      const what = `no record has the events from ${grouped(log.size)} to ${grouped(from - 1)}`;
      findings.fault(names.recordName(log.size), null, what);
      log.extend(null, from);
    }
    if (record !== null) await checkOne(record, context, state);
  }
}

async function checkOne(
  record: SegmentRecord,
  context: { files: FolderFiles; log: LogState; findings: Findings; onEvent: OnEvent },
  { ring, listed, reads, counts }: RecordsState,
): Promise<void> {
  listed.add(record.file, record.sha256);
  const root = await signedRoot(record, ring, context.findings);
  const whole = { ...context, firstBefore: counts.firstBefore };
  const isIn = await reads(record);
  if (isIn) await checkSegment(record, root, whole);
  else skipSegment(record, root, whole);
  if (record.session < counts.session) {
    const what = `session ${record.session} ended before that of the segment before`;
    context.findings.fault(names.recordName(record.from), null, what);
  }
  counts.session = record.session;
  counts.segments += 1;
  if (isIn) counts.segmentsRead += 1;
  counts.firstBefore = record.first;
  if (counts.firstAt === null || record.first < counts.firstAt) counts.firstAt = record.first;
  if (counts.lastAt === null || record.last > counts.lastAt) counts.lastAt = record.last;
}

/** The root that the record's checkpoint states; null, with a fault, if it is not signed for this size. */
async function signedRoot(
  record: SegmentRecord,
  ring: KeyRing,
  findings: Findings,
): Promise<Buffer | null> {
  const file = names.recordName(record.from);
  try {
    const checkpoint = parseCheckpoint(record.checkpoint);
    if (checkpoint.size !== record.from + record.count) {
      throw new LogFormatError('its checkpoint is of another size');
    }
    await ring.check(checkpoint);
    return checkpoint.root;
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    findings.fault(file, null, error.message);
    return null;
  }
}

async function recordOrFault(
  files: FolderFiles,
  from: number,
  findings: Findings,
): Promise<SegmentRecord | null> {
  try {
    return await readRecord(files, from);
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    findings.fault(names.recordName(from), null, error.message);
    return null;
  }
}
