import type { DiskFile } from './disk';

/** A line of a file, without its line feed. */
export interface Line {
  readonly bytes: Buffer;
  /** Of its first byte in the file. */
  readonly start: number;
  /** False for what comes after the last line feed. */
  readonly isEnded: boolean;
}

const chunkBytes = 262_144;
const lineFeed = 0x0a;

/** The lines of a file up to this byte, read piece by piece; then what comes after the last line feed, if anything. */
export async function* linesOf(file: DiskFile, until = Infinity): AsyncGenerator<Line> {
  const pieces: Buffer[] = [];
  let start = 0;
  let position = 0;
  while (position < until) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, until - position));
    const count = await file.read(chunk, position);
    if (count <= 0) break;
    position += count;
    let from = 0;
    for (;;) {
      const end = chunk.subarray(0, count).indexOf(lineFeed, from);
      if (end < 0) break;
      const last = chunk.subarray(from, end);
      const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces.splice(0), last]);
      yield { bytes, start, isEnded: true };
      start += bytes.length + 1;
      from = end + 1;
    }
    if (from < count) pieces.push(chunk.subarray(from, count));
  }
  if (pieces.length > 0) yield { bytes: Buffer.concat(pieces), start, isEnded: false };
}
