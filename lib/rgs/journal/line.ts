import { ownText } from '../../platform/own-text';
import type { JournalEvent } from './port';

/**
 * CRC-32 as zlib and PNG have it (Node's own, zlib.crc32, is younger than 20.12). It finds every damage
 * within 32 bits and all but one in four thousand million of any other. It is for accidents: the one who
 * can write to the file can also write a checksum.
 */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** The checksum of the bytes, after bytes with the checksum `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let at = 0; at < bytes.length; at++) {
    crc = (table[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/** Texts that were written by another part just before. */
const written = new WeakMap<JournalEvent, string>();

/**
 * An event as JSON, for a part that keeps it and hands it to a journal in the same go: the journal then keeps this text
 * and writes no other.
 * @throws TypeError for what is not JSON, such as a bigint.
 */
export function writeEvent(event: JournalEvent): string {
  const text = ownText(JSON.stringify(event));
  written.set(event, text);
  return text;
}

/**
 * An event as a journal writes it: by the text that was written for it just before, if there is one.
 * @throws TypeError for what is not JSON, such as a bigint.
 */
export function textOfEvent(event: JournalEvent): string {
  const known = written.get(event);
  if (known === undefined) return ownText(JSON.stringify(event));
  written.delete(event);
  return known;
}

/**
 * A line of the file: `{"n":7,"crc":"1a2b3c4d","events":[..]}`. `n` is the number of the line, so that a
 * lost line is noticed. The checksum covers every byte of the line but its own eight digits and the line
 * feed, so that no byte can be mistaken for another.
 */

const digits = 8;
const afterChecksum = '","events":';
const afterEvents = Buffer.from('}');
const lineFeed = Buffer.from('\n');

/** The text before the checksum of this line. */
function beforeChecksum(n: number): string {
  return `{"n":${n},"crc":"`;
}

/**
 * The events as a line has them: a JSON array.
 * @throws TypeError for what is not JSON, such as a bigint.
 */
export function encodeEvents(events: readonly JournalEvent[]): Buffer {
  return Buffer.from(`[${events.map(textOfEvent).join(',')}]`);
}

/** The parts of line `n` with these encoded events, its line feed included. */
export function lineOf(n: number, events: Buffer): readonly Buffer[] {
  const before = beforeChecksum(n);
  const crc = crc32(afterEvents, crc32(events, crc32(Buffer.from(before + afterChecksum))));
  const checksum = crc.toString(16).padStart(digits, '0');
  return [Buffer.from(before + checksum + afterChecksum), events, afterEvents, lineFeed];
}

/** What is wrong with line `n`, given without its line feed; null if it is whole. */
export function damageOf(line: Buffer, n: number): string | null {
  const stated = /^\{"n":(\d{1,15}),"crc":"/.exec(line.toString('latin1', 0, 40))?.[1];
  if (stated === undefined) return 'it is not a line of a journal';
  if (stated !== String(n))
    return `it says that it is line ${stated}: lines are missing or doubled`;
  const expected = Buffer.concat(lineOf(n, eventsPart(line, n))).subarray(0, -1);
  return expected.equals(line) ? null : 'its checksum does not fit';
}

/** The events of a whole line `n`. @throws SyntaxError if they are not JSON. */
export function eventsIn(line: Buffer, n: number): readonly JournalEvent[] {
  // JSON.parse, not the strict parser: what was written must be readable, at any depth and with any names.
  return JSON.parse(eventsPart(line, n).toString('utf8')) as readonly JournalEvent[];
}

function eventsPart(line: Buffer, n: number): Buffer {
  return line.subarray(beforeChecksum(n).length + digits + afterChecksum.length, -1);
}

/** Whether a crash can have left these bytes of line `n`: its beginning, perhaps followed by zeros. */
export function isTorn(bytes: Buffer, n: number): boolean {
  const text = bytes.subarray(0, endOf(bytes)).toString('latin1', 0, 64);
  const before = beforeChecksum(n);
  if (!fits(text, before)) return false;
  const checksum = text.slice(before.length, before.length + digits);
  if (!/^[0-9a-f]*$/.test(checksum)) return false;
  return fits(text.slice(before.length + digits), `${afterChecksum}[`);
}

/** Without the zeros at their end: a file system may lengthen a file before it writes to it. */
export function withoutZeros(bytes: Buffer): Buffer {
  return bytes.subarray(0, endOf(bytes));
}

function endOf(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end;
}

/** Whether one text is the beginning of the other. */
function fits(text: string, start: string): boolean {
  return text.length < start.length ? start.startsWith(text) : text.startsWith(start);
}
