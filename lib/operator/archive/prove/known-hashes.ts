import { blockLevel, decodeLeaves, leavesBytes, names, type SegmentRecord } from '../format';
import type { FolderFiles } from '../read/files';
import { eachEvent } from '../find/segments';
import { Frontier, leafHash, LogFormatError, type Subtree } from '../tlog';

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
    else known.push(...hashed(to - lines.length, lines, hasHit));
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

/** The hashes of the lines of a block: all of them if one is to be proved, else of the whole. */
function hashed(from: number, lines: readonly Buffer[], isProved: boolean): readonly Subtree[] {
  const leaves = lines.map((line) => leafHash(line));
  if (isProved) return leaves.map((hash, at) => ({ level: 0, index: from + at, hash }));
  const frontier = new Frontier(from);
  for (const leaf of leaves) frontier.append(leaf);
  return frontier.subtrees;
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
