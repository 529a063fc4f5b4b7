import type { SegmentRecord } from '../format';
import { readSegmentName } from '../format/names';
import { eachCompressedLine } from '../read/lines';
import { consistencyProof, Frontier, joinRanges, leafHash, type Subtree } from '../tlog';
import type { ArchiveDisk } from './disk';
import { damaged, sealedRecords } from './sealed';
import { sessionItems } from '../read/session-items';

/**
 * The proof that the log of `size` entries begins with that of `earlier`: from the records, and the lines of the segments
 * that one of the two sizes is within.
 */
export async function proveFromDisk(
  disk: ArchiveDisk,
  session: string,
  earlier: number,
  size: number,
): Promise<Buffer[]> {
  if (earlier === 0 || earlier === size) return [];
  const log = new SplitLog(earlier, size);
  for await (const record of sealedRecords(disk)) {
    const [from, to] = [record.from, record.from + record.count];
    if (from >= size) break;
    if (to <= size && (earlier <= from || earlier >= to)) log.add(record.range);
    else await addLines(disk, record, log);
  }
  if (log.size < size) {
    for await (const item of sessionItems(disk.chunks(session))) {
      if (item.kind === 'batch') for (const line of item.lines) log.append(line);
    }
  }
  return consistencyProof(earlier, size, joinRanges(log.ranges));
}

async function addLines(
  disk: ArchiveDisk,
  { file, count }: SegmentRecord,
  log: SplitLog,
): Promise<void> {
  const compression = readSegmentName(file)?.compression ?? 'gzip';
  const { lines, fault } = await eachCompressedLine(disk.chunks(file), compression, (line) => {
    log.append(line);
  });
  if (fault !== null || lines !== count)
    throw damaged(file, 'its lines are not those of its record');
}

/** The entries up to `earlier`, and those from there to `most`, as perfect subtrees: few, however long the log is. */
class SplitLog {
  readonly #before = new Frontier();
  readonly #since: Frontier;

  constructor(
    private readonly earlier: number,
    private readonly most: number,
  ) {
    this.#since = new Frontier(earlier);
  }

  get size(): number {
    return this.#open.size;
  }

  get ranges(): (readonly Subtree[])[] {
    return [this.#before.subtrees, this.#since.subtrees];
  }

  /** Adds a range that neither end is within. */
  add(range: readonly Subtree[]): void {
    for (const subtree of range) this.#open.add(subtree);
  }

  /** Adds a line; one after the end is left out. */
  append(line: Buffer): void {
    if (this.size < this.most) this.#open.append(leafHash(line));
  }

  get #open(): Frontier {
    return this.#before.size < this.earlier ? this.#before : this.#since;
  }
}
