import { names } from '../format';
import type { FolderFiles } from '../read/files';
import { eachCompressedLine } from '../read/lines';
import { newestWholeSession, readSession, type SessionBatch } from '../read/session';
import { Frontier, leafHash, LogFormatError } from '../tlog';
import { timeOfLine } from '../read/event-time';
import type { SegmentContext } from './segment';

/** A line of the session's current batch. */
interface HeldLine {
  readonly line: Buffer;
  readonly leaf: Buffer;
  readonly number: number;
}

/** A file of a sealing that did not end: it holds what the session has, and no record lists it. */
export interface Leftover {
  readonly path: string;
  readonly range: Frontier;
  isSame: boolean;
}

/** Reads a file that no record lists; null if it cannot be read to its end. */
export async function readLeftover(files: FolderFiles, path: string): Promise<Leftover | null> {
  const name = names.readSegmentName(path);
  if (name === null) return null;
  const range = new Frontier(name.from);
  try {
    const chunks = await files.chunks(path);
    if (chunks === null) return null;
    const { fault } = await eachCompressedLine(chunks, name.compression, (line) => {
      range.append(leafHash(line));
    });
    return fault === null && range.size > name.from ? { path, range, isSame: false } : null;
  } catch (error) {
    if (error instanceof LogFormatError) return null;
    throw error;
  }
}

/**
 * Reads what is not sealed yet, and extends the log by it. Answers the number of its events. `gap`: the session begins
 * after the end of what is sealed; `gone`: it was deleted meanwhile. Both are so after a sealing.
 */
export async function checkTail(
  context: Omit<SegmentContext, 'firstBefore'>,
  leftovers: readonly Leftover[],
): Promise<number | 'gap' | 'gone'> {
  const { files, log, findings } = context;
  const sealed = log.size;
  const path = await newestWholeSession(files);
  if (path === null) return 0;
  const tail = new Frontier(sealed);
  let held: HeldLine[] = [];
  let hasGap = false;
  const onBatch = (batch: SessionBatch): void => {
    const lines = held;
    held = [];
    hasGap ||= batch.from > log.size;
    if (hasGap || batch.size <= log.size) return;
    appendBatch(path, lines.slice(log.size - batch.from), batch, { ...context, tail, leftovers });
  };
  const onEvent = (line: Buffer, number: number): void => {
    held.push({ line: Buffer.from(line), leaf: leafHash(line), number });
  };
  try {
    if (!(await readSession(files, path, { onBatch, onEvent }))) return 'gone';
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    findings.fault(path, null, error.message);
  }
  const [torn] = held;
  if (torn !== undefined) findings.note(path, torn.number, 'a torn end: it does not count');
  return hasGap ? 'gap' : log.size - sealed;
}

function appendBatch(
  path: string,
  lines: readonly HeldLine[],
  batch: SessionBatch,
  context: Omit<SegmentContext, 'firstBefore'> & {
    readonly tail: Frontier;
    readonly leftovers: readonly Leftover[];
  },
): void {
  const { log, findings, onEvent, tail, leftovers } = context;
  const added = new Frontier(log.size);
  for (const { line, leaf, number } of lines) {
    added.append(leaf);
    tail.append(leaf);
    log.lastAt = timeOfLine(line) ?? log.lastAt;
    onEvent(line, leaf, { file: path, line: number });
    if (log.nextSize <= added.size) log.compare(added.size, added.subtrees, path);
    for (const leftover of leftovers) {
      leftover.isSame ||=
        leftover.range.size === tail.size &&
        leftover.range.subtrees.every(({ hash }, at) => tail.subtrees[at]?.hash.equals(hash));
    }
  }
  const root = log.rootWith(added.subtrees);
  const isSame = root === null || root.equals(batch.root);
  if (!isSame) {
    const what = `one of the lines ${batch.firstLine} to ${batch.lastLine}`;
    findings.fault(path, null, `${what} is not what was written`);
  }
  log.extend(isSame ? added.subtrees : null, batch.size);
}
