import { type HeldSession, readSession, type SessionBatch } from '../read/session';
import { Frontier, leafHash, LogFormatError } from '../tlog';
import { timeOfLine } from '../read/event-time';
import type { SegmentContext } from './segment';

/** A line of the session's current batch. */
interface HeldLine {
  readonly line: Buffer;
  readonly leaf: Buffer;
  readonly number: number;
}

/**
 * Reads what is not sealed yet, and extends the log by it. Answers the number of its events; `gap` if the session begins
 * after the end of what is sealed.
 */
export async function checkTail(
  context: Omit<SegmentContext, 'firstBefore'>,
  session: HeldSession,
): Promise<number | 'gap'> {
  const { log, findings } = context;
  const { path } = session;
  const sealed = log.size;
  let held: HeldLine[] = [];
  let hasGap = false;
  const onBatch = (batch: SessionBatch): void => {
    const lines = held;
    held = [];
    hasGap ||= batch.from > log.size;
    if (hasGap || batch.size <= log.size) return;
    appendBatch(path, lines.slice(log.size - batch.from), batch, context);
  };
  const onEvent = (line: Buffer, number: number): void => {
    held.push({ line: Buffer.from(line), leaf: leafHash(line), number });
  };
  try {
    await readSession(session, { onBatch, onEvent });
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
  { log, findings, onEvent }: Omit<SegmentContext, 'firstBefore'>,
): void {
  const added = new Frontier(log.size);
  for (const { line, leaf, number } of lines) {
    added.append(leaf);
    log.lastAt = timeOfLine(line) ?? log.lastAt;
    onEvent(line, leaf, { file: path, line: number, index: added.size - 1 });
    if (log.nextSize <= added.size) log.compare(added.size, added.subtrees, path);
  }
  const root = log.rootWith(added.subtrees);
  const isSame = root === null || root.equals(batch.root);
  if (!isSame) {
    const what = `one of the lines ${batch.firstLine} to ${batch.lastLine}`;
    findings.fault(path, null, `${what} is not what was written`);
  }
  log.extend(isSame ? added.subtrees : null, batch.size);
}
