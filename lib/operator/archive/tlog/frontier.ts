import { emptyRoot, nodeHash } from './hashes';

/** The hash of the entries [index * 2^level, (index + 1) * 2^level). */
export interface Subtree {
  readonly level: number;
  readonly index: number;
  readonly hash: Buffer;
}

/**
 * The perfect subtrees that make the entries [from, size), in order: what a log needs to grow, and to state its
 * root. At most 2 * log2(size - from) of them.
 */
export class Frontier {
  readonly #subtrees: Subtree[] = [];
  #size: number;

  /** @param from Index of the first entry. */
  constructor(readonly from = 0) {
    this.#size = from;
  }

  /** The index after the last entry; of a frontier from 0, the number of entries. */
  get size(): number {
    return this.#size;
  }

  get subtrees(): readonly Subtree[] {
    return this.#subtrees;
  }

  /** Appends an entry by its leaf hash. */
  append(hash: Buffer): void {
    this.#push({ level: 0, index: this.#size, hash });
  }

  /** Appends a subtree. @throws RangeError unless it begins at {@link size}. */
  add(subtree: Subtree): void {
    if (subtree.index * 2 ** subtree.level !== this.#size) {
      throw new RangeError(`The subtree does not begin at ${this.#size}.`);
    }
    this.#push(subtree);
  }

  /** The root of the log. @throws RangeError unless the frontier is from 0. */
  root(): Buffer {
    if (this.from !== 0) throw new RangeError('Only a frontier from 0 has the root of its log.');
    const last = this.#subtrees.at(-1);
    if (last === undefined) return emptyRoot;
    return this.#subtrees
      .slice(0, -1)
      .reduceRight((right, { hash }) => nodeHash(hash, right), last.hash);
  }

  /** A frontier with the same entries, which grows on its own. */
  copy(): Frontier {
    const copy = new Frontier(this.from);
    for (const subtree of this.#subtrees) copy.add(subtree);
    return copy;
  }

  #push(added: Subtree): void {
    let { level, index, hash } = added;
    this.#size += 2 ** level;
    for (;;) {
      const left = this.#subtrees.at(-1);
      if (index % 2 === 0 || left?.level !== level || left.index !== index - 1) break;
      this.#subtrees.pop();
      hash = nodeHash(left.hash, hash);
      level += 1;
      index = (index - 1) / 2;
    }
    this.#subtrees.push({ level, index, hash });
  }
}
