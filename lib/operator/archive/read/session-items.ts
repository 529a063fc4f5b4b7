import {
  type BatchEnd,
  longestLine,
  mostBatchBytes,
  mostInBatch,
  parseSessionLine,
  type SessionHolder,
  type SessionLine,
  wholeLine,
} from '../format';
import { LogFormatError } from '../tlog';

/** A batch: its events, each without its line break, and the numbers of its first and last line in the file. */
export interface SessionBatch extends BatchEnd {
  readonly lines: readonly Buffer[];
  readonly firstLine: number;
  readonly lastLine: number;
}

/** What a session holds, in order. `line` is the number of a line in the file. */
export type SessionItem =
  | ({ readonly kind: 'holder' } & SessionHolder)
  | { readonly kind: 'whole' }
  | ({ readonly kind: 'batch' } & SessionBatch)
  /** The last item: what a crash or a power cut left of the last batch, from this line on. It does not count. */
  | { readonly kind: 'torn'; readonly line: number }
  /** The last item: no writer leaves the file so. */
  | { readonly kind: 'damage'; readonly line: number; readonly what: string };

/** The items of a session. The writer that adopts it and those who verify it read it by the same bounds, a batch in memory. */
export async function* sessionItems(chunks: AsyncIterable<Buffer>): AsyncGenerator<SessionItem> {
  const reader = new SessionReader();
  for await (const lines of wholeLines(chunks)) {
    for (const line of lines) {
      const item = reader.take(line);
      if (item !== null) yield item;
      if (item?.kind === 'damage') return;
    }
  }
  const { torn } = reader;
  if (torn !== null) yield { kind: 'torn', line: torn };
}

class SessionReader {
  #number = 0;
  /** Events since the last batch line, their bytes, and the number of the first. */
  #lines: Buffer[] = [];
  #bytes = 0;
  #first = 0;
  /** First line of the batch that has zeros, and whether its own batch line came. */
  #zeroed: number | null = null;
  #isOver = false;

  /** First line of the batch that does not count; null if all do. */
  get torn(): number | null {
    return this.#zeroed ?? (this.#lines.length > 0 ? this.#first : null);
  }

  take(line: Buffer | null): SessionItem | null {
    this.#number += 1;
    // Only the last batch can be torn: each is on the disk before the next begins.
    if (this.#isOver) return this.damage('it was written after a batch that is torn');
    if (line === null) return this.damage(`it is longer than ${longestLine} bytes`);
    // JSON has no zeros: a power cut leaves them.
    if (line.includes(0)) {
      this.#zeroed ??= this.torn ?? this.#number;
      this.#lines = [];
      return null;
    }
    const read = parsed(line);
    if (this.#zeroed === null) {
      return typeof read === 'string' ? this.damage(read) : this.item(line, read);
    }
    this.#isOver = typeof read !== 'string' && read.kind === 'batch';
    return null;
  }

  private item(line: Buffer, read: SessionLine): SessionItem | null {
    if (read.kind === 'event') return this.add(line);
    const lines = this.#lines;
    if (read.kind !== 'batch') {
      return lines.length === 0 ? read : this.damage('the batch before it does not end');
    }
    if (read.batch !== lines.length) return this.damage(`the batch has ${lines.length} events`);
    const [firstLine, lastLine] = [this.#first, this.#number];
    [this.#lines, this.#bytes] = [[], 0];
    return { ...read, lines, firstLine, lastLine };
  }

  private add(line: Buffer): SessionItem | null {
    this.#bytes += line.length;
    if (this.#lines.length === mostInBatch || this.#bytes > mostBatchBytes) {
      return this.damage(
        `its batch has more than ${mostInBatch} events or ${mostBatchBytes} bytes`,
      );
    }
    if (this.#lines.length === 0) this.#first = this.#number;
    this.#lines.push(line);
    return null;
  }

  private damage(what: string): SessionItem {
    return { kind: 'damage', line: this.#number, what };
  }
}

/** Whether a session has its line `whole`. */
export async function isWhole(chunks: AsyncIterable<Buffer>): Promise<boolean> {
  const whole = Buffer.from(wholeLine);
  for await (const lines of wholeLines(chunks)) {
    if (lines.some((line) => line?.equals(whole) === true)) return true;
  }
  return false;
}

/** Who writes a session; null if its first line does not say. */
export async function holderOf(chunks: AsyncIterable<Buffer>): Promise<SessionHolder | null> {
  for await (const [line] of wholeLines(chunks)) {
    if (line === undefined) continue;
    const read = line === null ? null : parsed(line);
    return typeof read === 'object' && read?.kind === 'holder' ? read : null;
  }
  return null;
}

/**
 * The lines that end with a line break, without it. Those of a chunk come together. One that is too long is null, also
 * without its line break; if it has zeros, it is one zero, and without its line break left out.
 */
export async function* wholeLines(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<readonly (Buffer | null)[]> {
  let rest: Buffer[] = [];
  let length = 0;
  let hasZeros = false;
  for await (const chunk of chunks) {
    const lines: (Buffer | null)[] = [];
    let from = 0;
    for (let at = chunk.indexOf(lineBreak); at >= 0; at = chunk.indexOf(lineBreak, from)) {
      const end = chunk.subarray(from, at);
      if (length + end.length <= longestLine) {
        lines.push(rest.length === 0 ? end : Buffer.concat([...rest, end]));
      } else lines.push(hasZeros || end.includes(0) ? zero : null);
      [rest, length, hasZeros] = [[], 0, false];
      from = at + 1;
    }
    yield lines;
    if (from === chunk.length) continue;
    const begun = chunk.subarray(from);
    length += begun.length;
    hasZeros ||= begun.includes(0);
    if (length > longestLine) rest = [];
    else rest.push(begun);
  }
  if (length > longestLine && !hasZeros) yield [null];
}

/** The line, read; what is wrong with it. */
function parsed(line: Buffer): SessionLine | string {
  try {
    return parseSessionLine(line);
  } catch (error) {
    if (error instanceof LogFormatError) return error.message;
    throw error;
  }
}

const lineBreak = 10;
const zero = Buffer.of(0);
