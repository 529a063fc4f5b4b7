import { decodeBase64, hashBytes, LogFormatError } from '../tlog';
import { parseObject } from './identity';

/** The log at the end of a batch of a session. */
export interface BatchEnd {
  /** Events of the batch: the lines since the last batch, or since the start of the part. */
  readonly batch: number;
  /** Events of the log after it. */
  readonly size: number;
  /** The log's root at this size. */
  readonly root: Buffer;
}

/** Who writes a session: the first line. It tells a successor on the same machine whether that process has ended. */
export interface SessionHolder {
  readonly session: number;
  readonly host: string;
  readonly pid: number;
  /** The machine's run and the space of process ids; "" where neither is known. */
  readonly place: string;
}

/**
 * A line of a session. Only events with a batch line after them count; before the line `{"whole":true}`, which
 * follows what was adopted, nothing of the session does.
 */
export type SessionLine =
  | ({ readonly kind: 'holder' } & SessionHolder)
  | { readonly kind: 'event' }
  | ({ readonly kind: 'batch' } & BatchEnd)
  | { readonly kind: 'whole' };

/** Longest line of an archive: an event. In bytes, without the line break. */
export const longestLine = 16_777_216;
/** Most events of a batch, and most bytes of its lines without their line breaks. */
export const mostInBatch = 65_536;
export const mostBatchBytes = 268_435_456;

/** Without its line break. */
export const wholeLine = '{"whole":true}';

/** The line after a batch, without its line break. */
export function batchLine({ batch, size, root }: BatchEnd): string {
  return `{"batch":${batch},"size":${size},"root":"${root.toString('base64')}"}`;
}

/** The first line of a session, without its line break. */
export function holderLine({ session, host, pid, place }: SessionHolder): string {
  return JSON.stringify({ session, host, pid, place });
}

/** Reads a line of a session, without its line break. @throws LogFormatError */
export function parseSessionLine(line: Buffer): SessionLine {
  // Most lines are events, and begin with their type.
  if (line.length < shortEnough && line[2] !== 0x74) {
    const text = line.toString('latin1');
    if (text.startsWith('{"session":')) return parseHolder(line.toString('utf8'));
    if (text === wholeLine) return { kind: 'whole' };
    if (text.startsWith('{"batch":')) return parseBatch(text);
  }
  if (!isEventLine(line)) throw new LogFormatError('the line is no event');
  return { kind: 'event' };
}

/** Whether a line can be an event: a JSON object, by its first and last character. */
export function isEventLine(line: Buffer): boolean {
  return line.length <= longestLine && line[0] === 0x7b && line.at(-1) === 0x7d;
}

function parseHolder(text: string): SessionLine {
  const { session, host, pid, place } = parseObject(text, 'the first line of the session');
  if (typeof session !== 'number' || typeof host !== 'string') throw wrongHolder();
  if (typeof pid !== 'number' || typeof place !== 'string') throw wrongHolder();
  const holder = { session, host, pid, place };
  // They are printed.
  const isPlain = /^[ -~]{0,255}$/.test(host) && /^[ -~]{0,255}$/.test(place);
  if (!isPlain || holderLine(holder) !== text) throw wrongHolder();
  return { kind: 'holder', ...holder };
}

function wrongHolder(): LogFormatError {
  return new LogFormatError('the first line of the session is wrong');
}

function parseBatch(text: string): SessionLine {
  const [, batch, size, root] =
    /^\{"batch":(\d{1,15}),"size":(\d{1,15}),"root":"([A-Za-z0-9+/]{43}=)"\}$/.exec(text) ?? [];
  if (batch === undefined || size === undefined || root === undefined) {
    throw new LogFormatError('the line of a batch is wrong');
  }
  const end = { batch: Number(batch), size: Number(size), root: decodeBase64(root, 'the root') };
  if (batchLine(end) !== text || end.batch > end.size || end.root.length !== hashBytes) {
    throw new LogFormatError('the line of a batch is wrong');
  }
  return { kind: 'batch', ...end };
}

const shortEnough = 1_000;
