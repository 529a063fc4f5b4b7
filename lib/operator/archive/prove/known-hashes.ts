import { blockLevel, decodeLeaves, leavesBytes, names, type SegmentRecord } from '../format';
import type { FolderFiles } from '../read/files';
import { eachEvent } from '../find/segments';
import { Frontier, hashBytes, leafHash, LogFormatError, rangeOf, type Subtree } from '../tlog';

const blockSize = 2 ** blockLevel;

/** Lines of a segment that are to be proved, and the hashes that it takes. */
export interface SegmentHashes {
  readonly found: readonly { readonly index: number; readonly text: string }[];
  readonly known: readonly Subtree[];
}

/**
 * Reads a segment once: finds the lines, and hashes no more than the blocks that they are in, if the hashes of the
 * others are beside the file. Those are checked: they must make the record's range.
 * @throws ArchiveUnreadableError if the file cannot be read; LogFormatError if its lines are not those of the record.
 */
export async function hashSegment(
  files: FolderFiles,
  record: SegmentRecord,
  fits: (line: Buffer) => boolean,
): Promise<SegmentHashes> {
  const blocks = await blocksOf(files, record);
  const collected = await collect(files, record, { fits, blocks });
  if (makesRange(collected.known, record)) return collected;
  // The file of leaves may be what is wrong.
  const whole = await collect(files, record, { fits, blocks: new Map() });
  if (makesRange(whole.known, record)) return whole;
  throw new LogFormatError(`${record.file} is not what its record says: verify the archive`);
}

async function collect(
  files: FolderFiles,
  record: SegmentRecord,
  { fits, blocks }: { fits: (line: Buffer) => boolean; blocks: ReadonlyMap<number, Buffer> },
): Promise<SegmentHashes> {
  const found: { index: number; text: string }[] = [];
  const known: Subtree[] = [];
  let lines: Buffer[] = [];
  let hasHit = false;
  const end = record.from + record.count;
  const closeBlock = (to: number): void => {
    const block = Math.floor((to - 1) / blockSize);
    const hash = blocks.get(block);
    if (hash !== undefined && !hasHit) known.push({ level: blockLevel, index: block, hash });
    else
      known.push(
        ...blockSubtrees(
          to - lines.length,
          lines.map((line) => leafHash(line)),
          hasHit,
        ),
      );
    [lines, hasHit] = [[], false];
  };
  await eachEvent(files, record, (line, index) => {
    if (fits(line)) {
      found.push({ index, text: line.toString() });
      hasHit = true;
    }
    lines.push(line);
    if ((index + 1) % blockSize === 0 || index + 1 === end) closeBlock(index + 1);
  });
  return { found, known };
}

/** The hashes of the entries of a block: all of them if one is to be proved, else of its perfect subtrees. */
function blockSubtrees(
  from: number,
  leaves: readonly Buffer[],
  isProved: boolean,
): readonly Subtree[] {
  if (isProved) return leaves.map((hash, at) => ({ level: 0, index: from + at, hash }));
  return rangeOf(from, leaves);
}

/** The leaf hashes of the entries that are not sealed, 32 bytes each. */
export class UnsealedLeaves {
  #hashes = Buffer.alloc(1024 * hashBytes);
  #size: number;
  readonly #proved = new Set<number>();

  constructor(readonly from: number) {
    this.#size = from;
  }

  /** The index after the last entry. */
  get size(): number {
    return this.#size;
  }

  add(leaf: Buffer, isProved: boolean): void {
    const place = (this.#size - this.from) * hashBytes;
    if (place === this.#hashes.length) {
      this.#hashes = Buffer.concat([this.#hashes, Buffer.alloc(place)]);
    }
    leaf.copy(this.#hashes, place);
    if (isProved) this.#proved.add(Math.floor(this.#size / blockSize));
    this.#size += 1;
  }

  /** What is known of the entries up to this size of the log, block by block. */
  *subtrees(size: number): Generator<Subtree> {
    for (let at = this.from; at < size; ) {
      const block = Math.floor(at / blockSize);
      const end = Math.min((block + 1) * blockSize, size);
      const leaves = Array.from({ length: end - at }, (_, n) => {
        const place = (at + n - this.from) * hashBytes;
        return this.#hashes.subarray(place, place + hashBytes);
      });
      yield* blockSubtrees(at, leaves, this.#proved.has(block));
      at = end;
    }
  }
}

function makesRange(known: readonly Subtree[], { from, range }: SegmentRecord): boolean {
  const frontier = new Frontier(from);
  for (const subtree of known) frontier.add(subtree);
  const { subtrees } = frontier;
  return (
    subtrees.length === range.length &&
    subtrees.every(({ hash }, at) => range[at]?.hash.equals(hash) === true)
  );
}

/** The blocks' hashes beside the file, by index; none if they are lost or damaged. */
async function blocksOf(
  files: FolderFiles,
  record: SegmentRecord,
): Promise<ReadonlyMap<number, Buffer>> {
  const { file, from, count } = record;
  try {
    const bytes = await files.bytes(names.leavesName(file), leavesBytes(from, count));
    const blocks = bytes === null ? [] : decodeLeaves(bytes, record).blocks;
    return new Map(blocks.map(({ index, hash }) => [index, hash]));
  } catch (error) {
    if (error instanceof LogFormatError) return new Map();
    throw error;
  }
}
