import type { SegmentRecord } from '../format';
import { readSegmentName } from '../format/names';
import { eachCompressedLine } from '../read/lines';
import { consistencyProof, Frontier, joinRanges, leafHash, type Subtree } from '../tlog';
import type { ArchiveDisk } from './disk';
import { damaged, readSealed } from './sealed';
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
  const { records, log } = await readSealed(disk);
  const ranges: (readonly Subtree[])[] = [];
  for (const record of records) {
    const [from, to] = [record.from, record.from + record.count];
    const isWhole = to <= size && (earlier <= from || earlier >= to);
    if (isWhole) ranges.push(record.range);
    else if (from < size) ranges.push(...(await segmentRanges(disk, record, [earlier, size])));
  }
  if (log.size < size) {
    const open = new SplitRange(log.size, [earlier, size]);
    for await (const item of sessionItems(disk.chunks(session))) {
      if (item.kind === 'batch') for (const line of item.lines) open.append(line);
    }
    ranges.push(...open.ranges());
  }
  return consistencyProof(earlier, size, joinRanges(ranges));
}

async function segmentRanges(
  disk: ArchiveDisk,
  { file, from, count }: SegmentRecord,
  ends: readonly number[],
): Promise<(readonly Subtree[])[]> {
  const compression = readSegmentName(file)?.compression ?? 'gzip';
  const range = new SplitRange(from, ends);
  const { lines, fault } = await eachCompressedLine(disk.chunks(file), compression, (line) => {
    range.append(line);
  });
  if (fault !== null || lines !== count)
    throw damaged(file, 'its lines are not those of its record');
  return range.ranges();
}

/** Subtrees of consecutive lines, split at these sizes; what is after the last is left out. */
class SplitRange {
  readonly #done: (readonly Subtree[])[] = [];
  #open: Frontier;

  constructor(
    from: number,
    private readonly ends: readonly number[],
  ) {
    this.#open = new Frontier(from);
  }

  append(line: Buffer): void {
    const { size } = this.#open;
    if (size >= (this.ends.at(-1) ?? 0)) return;
    if (this.ends.includes(size)) {
      this.#done.push(this.#open.subtrees);
      this.#open = new Frontier(size);
    }
    this.#open.append(leafHash(line));
  }

  ranges(): (readonly Subtree[])[] {
    return [...this.#done, this.#open.subtrees];
  }
}
