import { type KnownSubtrees, splitOf } from './subtrees';

/**
 * The hashes beside the way from entry `index` up to the root of the log of `size` entries (RFC 9162, 2.1.3.1).
 * @throws RangeError if a hash is missing, or there is no such entry.
 */
export function inclusionProof(index: number, size: number, known: KnownSubtrees): Buffer[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`There is no entry ${index} of ${size}.`);
  const path: Buffer[] = [];
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      path.push(known.hashOf(middle, to));
      to = middle;
    } else {
      path.push(known.hashOf(from, middle));
      from = middle;
    }
  }
  return path.toReversed();
}

/**
 * The hashes that show the log of `size` entries to begin with the log of `earlier` ones (RFC 9162, 2.1.4.1).
 * Empty for 0 entries, and for equal sizes. @throws RangeError if a hash is missing.
 */
export function consistencyProof(earlier: number, size: number, known: KnownSubtrees): Buffer[] {
  if (!(earlier >= 0 && earlier <= size)) throw new RangeError(`${earlier} is not within ${size}.`);
  if (earlier === 0 || earlier === size) return [];
  const path: Buffer[] = [];
  let [from, to] = [0, size];
  while (earlier !== to) {
    const middle = from + splitOf(to - from);
    if (earlier <= middle) {
      path.push(known.hashOf(middle, to));
      to = middle;
    } else {
      path.push(known.hashOf(from, middle));
      from = middle;
    }
  }
  if (from !== 0) path.push(known.hashOf(from, to));
  return path.toReversed();
}
