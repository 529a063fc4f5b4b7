import { Frontier, hashBytes, LogFormatError, type Subtree } from '../tlog';

/**
 * The file `.leaves` beside a segment: the first 4 bytes of each leaf hash, which tell a forged line, and the hashes of
 * its blocks of 1,024 entries, with which a proof needs the lines of one block. No evidence: what is taken from it is
 * compared with the record.
 */
export interface Leaves {
  /** Index of the first entry. */
  readonly from: number;
  readonly count: number;
  /** Whether the entry (counted from `from`) has this leaf hash, by its first 4 bytes. */
  has(at: number, leaf: Buffer): boolean;
  /** The perfect subtrees of level 10 within the entries. */
  readonly blocks: readonly Subtree[];
}

/** Level of a block's subtree. */
export const blockLevel = 10;
const blockSize = 2 ** blockLevel;

/** Collects the leaf hashes of a segment. */
export class LeavesBuilder {
  readonly #prefixes: Buffer[] = [];
  readonly #blocks: Buffer[] = [];
  #page = Buffer.alloc(0);
  #count = 0;
  #block: Frontier | null = null;

  /** @param from Index of the first entry. */
  constructor(readonly from: number) {}

  append(leaf: Buffer): void {
    const place = (this.#count * prefixBytes) % pageBytes;
    if (place === 0) this.#prefixes.push((this.#page = Buffer.alloc(pageBytes)));
    leaf.copy(this.#page, place, 0, prefixBytes);
    const index = this.from + this.#count;
    this.#count += 1;
    if (index % blockSize === 0) this.#block = new Frontier(index);
    this.#block?.append(leaf);
    if ((index + 1) % blockSize !== 0 || this.#block === null) return;
    const [whole] = this.#block.subtrees;
    if (whole !== undefined) this.#blocks.push(whole.hash);
    this.#block = null;
  }

  /** The content of the file. */
  encode(): Buffer {
    const head = Buffer.alloc(headBytes);
    head.write(magic, 'latin1');
    head.writeBigUInt64BE(BigInt(this.from), 8);
    head.writeUInt32BE(this.#count, 16);
    const prefixes = Buffer.concat(this.#prefixes).subarray(0, this.#count * prefixBytes);
    return Buffer.concat([head, prefixes, ...this.#blocks]);
  }
}

/** Most bytes of a file of leaves with this many entries. */
export function leavesBytes(from: number, count: number): number {
  return headBytes + count * prefixBytes + blocksOf(from, count).length * hashBytes;
}

/** Reads the leaves of a segment's entries. @throws LogFormatError */
export function decodeLeaves(
  file: Buffer,
  { from, count }: { readonly from: number; readonly count: number },
): Leaves {
  const isWhole =
    file.length === leavesBytes(from, count) &&
    file.toString('latin1', 0, 8) === magic &&
    file.readBigUInt64BE(8) === BigInt(from) &&
    file.readUInt32BE(16) === count;
  if (!isWhole) throw new LogFormatError('the leaves are not those of the segment');
  const blocksAt = headBytes + count * prefixBytes;
  return {
    from,
    count,
    has: (at, leaf) => {
      const place = headBytes + at * prefixBytes;
      return leaf.compare(file, place, place + prefixBytes, 0, prefixBytes) === 0;
    },
    blocks: blocksOf(from, count).map((index, at) => {
      const place = blocksAt + at * hashBytes;
      return { level: blockLevel, index, hash: file.subarray(place, place + hashBytes) };
    }),
  };
}

/** Indexes of the blocks that lie wholly within the entries. */
function blocksOf(from: number, count: number): number[] {
  const first = Math.ceil(from / blockSize);
  const after = Math.floor((from + count) / blockSize);
  return Array.from({ length: Math.max(0, after - first) }, (_, at) => first + at);
}

const magic = 'rgsleaf1';
const headBytes = 20;
const prefixBytes = 4;
const pageBytes = 65_536;
