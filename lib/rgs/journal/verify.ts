import type { End } from './compaction';
import { type DiskFile, type Line, linesOf, writeAll } from './disk';
import { JournalError } from './port';
import { damageOf, isTorn, withoutZeros } from './line';

/** What a file holds. */
interface Verified {
  /** Where its whole lines end. */
  readonly end: End;
  /** How many bytes of a torn line follow. */
  readonly torn: number;
}

/**
 * Reads the file to its end and checks every line (B4). What follows the last line feed was never
 * acknowledged: it may be the beginning of a line, which is torn; a whole line gets its line feed.
 * @throws JournalError DAMAGED for anything else, and nothing is changed.
 */
export async function verify(file: DiskFile, path: string): Promise<Verified> {
  let end: End = { lines: 0, bytes: 0 };
  for await (const line of linesOf(file)) {
    const n = end.lines + 1;
    if (!line.isEnded) return unended(file, path, line, end);
    const damage = damageOf(line.bytes, n);
    if (damage !== null) throw damaged(path, n, line.start, damage);
    end = { lines: n, bytes: line.start + line.bytes.length + 1 };
  }
  return { end, torn: 0 };
}

async function unended(file: DiskFile, path: string, line: Line, end: End): Promise<Verified> {
  const n = end.lines + 1;
  const bytes = withoutZeros(line.bytes);
  if (damageOf(bytes, n) === null) {
    const after = line.start + bytes.length;
    await file.truncate(after);
    await writeAll(file, Buffer.from('\n'), after);
    return { end: { lines: n, bytes: after + 1 }, torn: 0 };
  }
  // A whole line with another byte for its line feed: no crash does that.
  const isWhole = damageOf(line.bytes.subarray(0, -1), n) === null;
  if (isWhole || !isTorn(line.bytes, n)) {
    throw damaged(
      path,
      n,
      line.start,
      'what follows the last line feed is not the beginning of a line',
    );
  }
  return { end, torn: line.bytes.length };
}

/** The error of a damaged line. @param start - Of the line's first byte in the file, if known. */
export function damaged(
  path: string,
  line: number,
  start: number | null,
  damage: string,
  cause?: unknown,
): JournalError {
  const cut =
    start === null ? '' : `, or give up this line and all after it: head -c ${start} FILE > NEW`;
  const message =
    `The journal ${path} is damaged in line ${line}: ${damage}. Nothing was changed. ` +
    `Restore the file from a copy${cut}.`;
  return new JournalError('DAMAGED', message, { cause });
}
