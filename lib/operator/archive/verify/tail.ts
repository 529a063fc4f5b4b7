import type { HeldSession } from '../read/session';
import { type SessionBatch, sessionItems } from '../read/session-items';
import { Frontier, leafHash } from '../tlog';
import { timeOfLine } from '../read/event-time';
import type { SegmentContext } from './segment';

/**
 * Reads what is not sealed yet, and extends the log by it. Answers the number of its events; `gap` if the session begins
 * after the end of what is sealed.
 */
export async function checkTail(
  context: Omit<SegmentContext, 'firstBefore'>,
  { path, file }: HeldSession,
): Promise<number | 'gap'> {
  const { log, findings } = context;
  const sealed = log.size;
  let hasGap = false;
  for await (const item of sessionItems(file.chunks())) {
    if (item.kind === 'damage') findings.fault(path, item.line, item.what);
    else if (item.kind === 'torn') {
      findings.note(path, item.line, 'a torn end: it does not count');
    } else if (item.kind === 'batch') {
      hasGap ||= item.size - item.batch > log.size;
      if (!hasGap && item.size > log.size) appendBatch(path, item, context);
    }
  }
  return hasGap ? 'gap' : log.size - sealed;
}

/** Extends the log by what it does not have of a batch. */
function appendBatch(
  path: string,
  batch: SessionBatch,
  { log, findings, onEvent }: Omit<SegmentContext, 'firstBefore'>,
): void {
  const added = new Frontier(log.size);
  const known = log.size - (batch.size - batch.batch);
  for (const [at, line] of batch.lines.entries()) {
    if (at < known) continue;
    const leaf = leafHash(line);
    added.append(leaf);
    log.lastAt = timeOfLine(line) ?? log.lastAt;
    onEvent(line, leaf, { file: path, line: batch.firstLine + at, index: added.size - 1 });
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
