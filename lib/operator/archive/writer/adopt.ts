import { batchLine, names, wholeLine } from '../format';
import { leafHash } from '../tlog';
import type { ArchiveDisk } from './disk';
import type { GrowingLog } from './growing-log';
import { damaged } from './sealed';
import type { Session } from './session';
import { isWhole, type SessionBatch, sessionItems } from '../read/session-items';

/** What was adopted of the session before. */
export interface Adopted {
  readonly events: number;
  /** Keys of the events of its last batches: they may be delivered again. */
  readonly lastKeys: readonly string[];
  /** The roots at the ends of its batches. */
  readonly roots: ReadonlyMap<number, Buffer>;
  /** The file whose end was torn; null if none was. */
  readonly torn: string | null;
}

/** Batches whose events may not have been acknowledged: that of the last page, and of earlier ones that were repeated. */
const lastBatches = 4;
/** Bytes that are appended together. */
const pieceBytes = 4 * 1024 * 1024;

/**
 * Copies what the newest whole session before this one holds behind the sealed events. Nothing of it counts before
 * {@link finishAdoption}.
 * @throws ArchiveRefusedError if that session is damaged, other than as a crash leaves its last page.
 */
export async function adopt(
  disk: ArchiveDisk,
  session: Session,
  log: GrowingLog,
): Promise<Adopted> {
  const older = await session.olderNumbers();
  const from = await newestWhole(disk, older);
  return from === null ? nothing : copy(disk, names.sessionName(from), session, log);
}

/** From now on the session is whole; those before it are deleted. */
export async function finishAdoption(disk: ArchiveDisk, session: Session): Promise<void> {
  const older = await session.olderNumbers();
  await session.append(`${wholeLine}\n`);
  await session.check();
  for (const number of older) await disk.remove(names.sessionName(number));
}

async function newestWhole(disk: ArchiveDisk, older: readonly number[]): Promise<number | null> {
  for (const number of older) {
    if (await isWhole(disk.chunks(names.sessionName(number)))) return number;
  }
  return null;
}

async function copy(
  disk: ArchiveDisk,
  file: string,
  session: Session,
  log: GrowingLog,
): Promise<Adopted> {
  const from = log.size;
  const keys: string[][] = [];
  const roots = new Map<number, Buffer>();
  let isTorn = false;
  let pieces: Buffer[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (bytes > 0) await session.append(Buffer.concat(pieces));
    pieces = [];
    bytes = 0;
  };
  for await (const item of sessionItems(disk.chunks(file))) {
    if (item.kind === 'damage') throw damaged(file, `line ${item.line}: ${item.what}`);
    isTorn = item.kind === 'torn';
    const taken = item.kind === 'batch' ? takeBatch(file, item, log) : 'sealed';
    if (item.kind !== 'batch' || taken === 'sealed') continue;
    roots.set(item.size, item.root);
    keys.push(taken);
    if (keys.length > lastBatches) keys.shift();
    for (const line of item.lines) pieces.push(line, lineBreak);
    pieces.push(Buffer.from(`${batchLine(item)}\n`));
    bytes += item.lines.reduce((sum, { length }) => sum + length, 1);
    if (bytes >= pieceBytes) await flush();
  }
  await flush();
  return { events: log.size - from, lastKeys: keys.flat(), roots, torn: isTorn ? file : null };
}

/** The keys of the events of a batch, which the log now has. */
function takeBatch(
  file: string,
  { lines, size, root }: SessionBatch,
  log: GrowingLog,
): string[] | 'sealed' {
  if (size <= log.sealedSize) return 'sealed';
  if (size - lines.length !== log.size) {
    throw damaged(file, `it continues at ${size - lines.length}, and the log ends at ${log.size}`);
  }
  const leaves = lines.map((line) => leafHash(line));
  if (!log.root(leaves).equals(root)) {
    throw damaged(file, `the events up to ${size} are not those that were written`);
  }
  return lines.map((line, at) => {
    const { id, at: happened } = eventOf(file, line);
    log.append(leaves[at] as Buffer, happened);
    return eventKey({ id, at: happened });
  });
}

function eventOf(file: string, line: Buffer): { readonly id: string; readonly at: string } {
  const { id, at } = JSON.parse(line.toString()) as { id?: unknown; at?: unknown };
  if (typeof id === 'string' && typeof at === 'string') return { id, at };
  throw damaged(file, 'a line is no event');
}

/**
 * What no two events share. The id alone would not do: a gameRound that is used again after its retention has the same
 * ids.
 */
export function eventKey({ id, at }: { readonly id: string; readonly at: string }): string {
  return `${id} ${at}`;
}

const nothing: Adopted = { events: 0, lastKeys: [], roots: new Map(), torn: null };
const lineBreak = Buffer.from('\n');
