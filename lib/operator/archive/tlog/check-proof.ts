import { nodeHash } from './hashes';

/** A log at one moment. */
export interface TreeHead {
  /** Number of entries. */
  readonly size: number;
  readonly root: Buffer;
}

/** Whether the entry with this leaf hash is number `index` (from 0) of the log (RFC 9162, 2.1.3.2). */
export function isIncluded(
  leaf: Buffer,
  index: number,
  proof: readonly Buffer[],
  { size, root }: TreeHead,
): boolean {
  if (!(index >= 0 && index < size)) return false;
  let hash = leaf;
  let [place, last] = [index, size - 1];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(sibling, hash);
      while (place % 2 === 0 && place !== 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 && hash.equals(root);
}

/** Whether `later` begins with the entries of `earlier` (RFC 9162, 2.1.4.2). An empty log begins every log. */
export function isConsistent(
  earlier: TreeHead,
  later: TreeHead,
  proof: readonly Buffer[],
): boolean {
  if (earlier.size > later.size) return false;
  if (earlier.size === later.size) return proof.length === 0 && earlier.root.equals(later.root);
  if (earlier.size === 0) return proof.length === 0;
  const isWhole = Number.isInteger(Math.log2(earlier.size));
  const [first, ...rest] = isWhole ? [earlier.root, ...proof] : proof;
  if (first === undefined) return false;
  let [place, last] = [earlier.size - 1, later.size - 1];
  while (place % 2 === 1) [place, last] = [(place - 1) / 2, Math.floor(last / 2)];
  let [before, after] = [first, first];
  for (const hash of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      before = nodeHash(hash, before);
      after = nodeHash(hash, after);
      while (place % 2 === 0 && place !== 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else {
      after = nodeHash(after, hash);
    }
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 && before.equals(earlier.root) && after.equals(later.root);
}
