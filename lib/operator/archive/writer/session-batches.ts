import { type BatchEnd, longestLine, parseSessionLine, type SessionHolder } from '../format';
import { LogFormatError } from '../tlog';

/** What a session holds, in order. */
export type SessionItem =
  | ({ readonly kind: 'holder' } & SessionHolder)
  | { readonly kind: 'whole' }
  /** The events of a batch, each line without its line break. */
  | ({ readonly kind: 'batch'; readonly lines: readonly Buffer[] } & BatchEnd)
  /** An invalid line, or a batch line of another number of events: what a crash leaves, or damage. */
  | { readonly kind: 'damage'; readonly line: number; readonly isTorn: boolean };

/** Most events of a batch; the writer's has at most 1,000. */
const mostInBatch = 65_536;

/** The items of a session. Events without their batch line, and what follows the last line break, are left out. */
export async function* sessionItems(chunks: AsyncIterable<Buffer>): AsyncGenerator<SessionItem> {
  let lines: Buffer[] = [];
  let number = 0;
  for await (const some of wholeLines(chunks)) {
    for (const line of some) {
      number += 1;
      const read = line === null ? null : parsed(line);
      if (read?.kind === 'event' && line !== null && lines.length < mostInBatch) {
        lines.push(line);
        continue;
      }
      const isTorn = [...lines, line].some(hasZeros);
      if (read === null || read.kind === 'event') yield { kind: 'damage', line: number, isTorn };
      else if (read.kind !== 'batch') yield read;
      else if (read.batch !== lines.length) yield { kind: 'damage', line: number, isTorn };
      else yield { ...read, lines };
      if (read?.kind === 'batch') lines = [];
    }
  }
}

/** Who writes a session; null if its first line does not say. */
export async function holderOf(chunks: AsyncIterable<Buffer>): Promise<SessionHolder | null> {
  for await (const [line] of wholeLines(chunks)) {
    if (line === undefined) continue;
    const read = line === null ? null : parsed(line);
    return read?.kind === 'holder' ? read : null;
  }
  return null;
}

/** The lines that end with a line break, without it; null for one that is too long. Those of a chunk come together. */
export async function* wholeLines(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<readonly (Buffer | null)[]> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const lines: (Buffer | null)[] = [];
    let from = 0;
    for (let at = chunk.indexOf(lineBreak); at >= 0; at = chunk.indexOf(lineBreak, from)) {
      const end = chunk.subarray(from, at);
      const isShort = length + end.length <= longestLine;
      lines.push(!isShort ? null : rest.length === 0 ? end : Buffer.concat([...rest, end]));
      rest = [];
      length = 0;
      from = at + 1;
    }
    yield lines;
    length += chunk.length - from;
    if (length > longestLine) rest = [];
    else if (from < chunk.length) rest.push(chunk.subarray(from));
  }
}

/** Whether a power cut may have left it so: JSON has no zeros. */
export function hasZeros(line: Buffer | null): boolean {
  return line?.includes(0) === true;
}

function parsed(line: Buffer) {
  try {
    return parseSessionLine(line);
  } catch (error) {
    if (error instanceof LogFormatError) return null;
    throw error;
  }
}

const lineBreak = 10;
