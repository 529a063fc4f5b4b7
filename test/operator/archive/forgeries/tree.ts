import { createHash } from 'node:crypto';

// RFC 6962, section 2.1, as it is written there: recursive, slow, and independent of the code that it judges.

const sha256 = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const leafPrefix = Buffer.from([0]);
const nodePrefix = Buffer.from([1]);

export const leafHash = (line: Buffer): Buffer => sha256(leafPrefix, line);
const nodeHash = (left: Buffer, right: Buffer): Buffer => sha256(nodePrefix, left, right);

/** The largest power of two below `size`, which is at least 2. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** MTH: the root of these leaf hashes. */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (only === undefined) return sha256();
  if (leaves.length === 1) return only;
  const split = splitOf(leaves.length);
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

/** A perfect subtree: its level, its index on that level, and its hash in base64. */
export type Subtree = readonly [level: number, index: number, hash: string];

/** The largest perfect subtrees that make [from, from + count) of a log, from left to right. */
export function subtreesOf(leaves: readonly Buffer[], from: number, count: number): Subtree[] {
  const subtrees: Subtree[] = [];
  let at = from;
  while (at < from + count) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= from + count) level++;
    const width = 2 ** level;
    subtrees.push([level, at / width, rootOf(leaves.slice(at, at + width)).toString('base64')]);
    at += width;
  }
  return subtrees;
}

/** PROOF(m, D[n]): what proves that the tree of the first `size` leaves has only grown. */
export function consistencyOf(leaves: readonly Buffer[], size: number): Buffer[] {
  return size === 0 ? [] : subproof(leaves, size, true);
}

function subproof(leaves: readonly Buffer[], size: number, isWhole: boolean): Buffer[] {
  if (size === leaves.length) return isWhole ? [] : [rootOf(leaves)];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return size <= split
    ? [...subproof(left, size, isWhole), rootOf(right)]
    : [...subproof(right, size - split, false), rootOf(left)];
}
