import { Frontier, type Subtree } from './frontier';
import { nodeHash } from './hashes';

/** The perfect subtrees of the entries from `from` on, in order, by their leaf hashes. */
export function rangeOf(from: number, leaves: Iterable<Buffer>): readonly Subtree[] {
  const frontier = new Frontier(from);
  for (const leaf of leaves) frontier.append(leaf);
  return frontier.subtrees;
}

/** Level and index of the perfect subtrees that make the entries [from, to), in order. */
export function rangePlaces(from: number, to: number): Pick<Subtree, 'level' | 'index'>[] {
  const places: Pick<Subtree, 'level' | 'index'>[] = [];
  for (let at = from; at < to; ) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= to) level += 1;
    places.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return places;
}

/** Hashes of perfect subtrees, and what follows from them. */
export class KnownSubtrees {
  readonly #hashes = new Map<string, Buffer>();

  /** Adds a subtree, and those above it that it completes when they are added from left to right. */
  add({ level, index, hash }: Subtree): void {
    this.#hashes.set(`${level}/${index}`, hash);
    if (index % 2 === 0) return;
    const left = this.#hashes.get(`${level}/${index - 1}`);
    if (left === undefined) return;
    this.add({ level: level + 1, index: (index - 1) / 2, hash: nodeHash(left, hash) });
  }

  /**
   * The hash over the entries [from, to), where `from` is a multiple of the least power of two that is not below
   * `to - from`. @throws RangeError if it does not follow from the known subtrees.
   */
  hashOf(from: number, to: number): Buffer {
    const half = splitOf(to - from);
    const width = 2 * half;
    const isPerfect = width === to - from || to - from === 1;
    const level = to - from === 1 ? 0 : Math.log2(width);
    const known = isPerfect ? this.#hashes.get(`${level}/${from / 2 ** level}`) : undefined;
    if (known !== undefined) return known;
    if (to - from <= 1) throw new RangeError(`The entry ${from} is not known.`);
    return nodeHash(this.hashOf(from, from + half), this.hashOf(from + half, to));
  }
}

/** All subtrees that follow from the ranges of consecutive segments. */
export function joinRanges(ranges: Iterable<readonly Subtree[]>): KnownSubtrees {
  const known = new KnownSubtrees();
  for (const range of ranges) for (const subtree of range) known.add(subtree);
  return known;
}

/** The greatest power of two that is below `count`; 1 for 1. */
export function splitOf(count: number): number {
  let half = 1;
  while (half * 2 < count) half *= 2;
  return half;
}
