import {
  decodeBase64,
  hashBytes,
  LogFormatError,
  longestNote,
  parseNote,
  rangePlaces,
  type Subtree,
} from '../tlog';
import { parseObject } from './identity';
import { readSegmentName } from './names';

/** What is known of a segment: its file, its events, and the log at its end. */
export interface SegmentRecord {
  /** Path of the file with its lines. */
  readonly file: string;
  /** Index of its first event. */
  readonly from: number;
  /** Number of events: at least one. */
  readonly count: number;
  /** Length of the file. */
  readonly bytes: number;
  /** Of the file, in hexadecimal. */
  readonly sha256: string;
  /** The least and the greatest `at` of its events. */
  readonly first: string;
  readonly last: string;
  /** By the clock of the archiver; its UTC day is that of the file's folder. Nothing else depends on it. */
  readonly sealedAt: string;
  /** Number of the session that sealed it. */
  readonly session: number;
  /** The perfect subtrees of its events. */
  readonly range: readonly Subtree[];
  /** The signed checkpoint at `from + count`. */
  readonly checkpoint: string;
}

/** Most bytes of a record. */
export const longestRecord = 131_072;
/** Most events of a segment. */
export const mostEvents = 16_777_216;

/** The text of a record: one, for a given content. */
export function recordText(record: SegmentRecord): string {
  const { file, from, count, bytes, sha256, first, last, sealedAt, session, checkpoint } = record;
  const range = record.range.map(({ level, index, hash }) => [
    level,
    index,
    hash.toString('base64'),
  ]);
  const content = { file, from, count, bytes, sha256, first, last, sealedAt, session, range };
  return `${JSON.stringify({ ...content, checkpoint })}\n`;
}

/** Reads a record. Signatures and roots are not checked. @throws LogFormatError */
export function parseRecord(text: string): SegmentRecord {
  const value = parseObject(text, 'the record');
  const { file, from, count, bytes, sha256, first, last, sealedAt, session, range, checkpoint } =
    value;
  const record = {
    file: textOf(file, 'file'),
    from: sizeOf(from, 'from'),
    count: sizeOf(count, 'count'),
    bytes: sizeOf(bytes, 'bytes'),
    sha256: textOf(sha256, 'sha256'),
    first: timeOf(first, 'first'),
    last: timeOf(last, 'last'),
    sealedAt: timeOf(sealedAt, 'sealedAt'),
    session: sizeOf(session, 'session'),
    range: [] as readonly Subtree[],
    checkpoint: textOf(checkpoint, 'checkpoint'),
  };
  if (record.count === 0 || record.count > mostEvents) throw wrong('count');
  const name = readSegmentName(record.file);
  if (name?.from !== record.from) throw wrong('file');
  if (name.day !== record.sealedAt.slice(0, 10)) throw wrong('sealedAt');
  if (!/^[0-9a-f]{64}$/.test(record.sha256)) throw wrong('sha256');
  if (record.first > record.last) throw wrong('first');
  if (record.checkpoint.length > longestNote) throw wrong('checkpoint');
  parseNote(record.checkpoint);
  const whole = { ...record, range: parseRange(range, record) };
  if (recordText(whole) !== text) {
    throw new LogFormatError('the record is not written as an archive writes it');
  }
  return whole;
}

function parseRange(
  range: unknown,
  { from, count }: { readonly from: number; readonly count: number },
): Subtree[] {
  const places = rangePlaces(from, from + count);
  if (!Array.isArray(range) || range.length !== places.length) throw wrong('range');
  return places.map(({ level, index }, at) => {
    const [itsLevel, itsIndex, text] = [range[at] as unknown].flat();
    if (itsLevel !== level || itsIndex !== index || typeof text !== 'string') throw wrong('range');
    const hash = decodeBase64(text, 'range of the record');
    if (hash.length !== hashBytes) throw wrong('range');
    return { level, index, hash };
  });
}

function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') throw wrong(what);
  return value;
}

function sizeOf(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw wrong(what);
  return value as number;
}

function timeOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || !isTime(value)) throw wrong(what);
  return value;
}

/** Whether a text is a time as events have it: ISO 8601 in UTC, with milliseconds. */
export function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));
}

function wrong(what: string): LogFormatError {
  return new LogFormatError(`${what} of the record is wrong`);
}
