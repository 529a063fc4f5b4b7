import { createHash } from 'node:crypto';

/** Events that were appended at once, and are whole. */
export interface OpenBatch {
  readonly lines: readonly string[];
  /** The byte after it. */
  readonly end: number;
}

/** Lines in the middle of an open file that are not what was written. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';

  constructor(file: string, first: number, last: number) {
    super(`${file} is damaged between line ${first} and line ${last}`);
  }
}

/**
 * Lines as they are appended to an open file: each with a line break, then a line with their number and their
 * checksum. It separates a whole batch from a torn end.
 */
export function openBatchText(lines: readonly string[]): string {
  const text = lines.map((line) => `${line}\n`).join('');
  return `${text}${JSON.stringify({ batch: lines.length, sha256: digestOf(text) })}\n`;
}

/**
 * The whole batches of an open file in order. A torn end, which only the last write can leave, is not one.
 * @throws DamagedFileError if a batch is not whole and it is not the end of the file.
 */
export async function* openBatches(
  file: string,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<OpenBatch> {
  let held: string[] = [];
  let line = 0;
  let end = 0;
  for await (const raw of wholeLines(chunks)) {
    line++;
    end += raw.length + 1;
    const text = raw.toString();
    if (!text.startsWith(sumStart)) {
      held.push(text);
      continue;
    }
    const [sumLine] = openBatchText(held).split('\n').slice(-2);
    if (sumLine !== text) throw new DamagedFileError(file, line - held.length, line);
    yield { lines: held, end };
    held = [];
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const sumStart = '{"batch":';

/** The lines that end with a line break, without it; what follows the last one is left out. */
export async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(lineBreak); at >= 0; at = chunk.indexOf(lineBreak, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at)]);
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
}

const lineBreak = 10;
