import { LeavesBuilder } from '../format';
import { consistencyProof, Frontier, joinRanges, type Subtree, type TreeHead } from '../tlog';

/** The log at one size, with what a proof that it has only grown since begins with. */
export interface LogHead extends TreeHead {
  /** The perfect subtrees of its entries. */
  readonly subtrees: readonly Subtree[];
}

/** Subtrees of the entries from `from` on, up to the next piece. */
interface Piece {
  readonly from: number;
  readonly subtrees: readonly Subtree[];
}

/** Pieces that are kept for proofs: more than a day of one a minute. */
const mostPieces = 2_000;

/** The log as it grows: its root, and what is derived of the segment that is open. Each entry is hashed into one tree. */
export class GrowingLog {
  /** The entries up to the last cut; those of the open segment up to it; those since. */
  readonly #whole: Frontier;
  #range: Frontier;
  #tail: Frontier;
  #pieces: Piece[] = [];
  #leaves: LeavesBuilder;
  #first = '';
  #last = '';

  /** @param sealed The log up to the open segment, which begins empty. */
  constructor(sealed: Frontier) {
    this.#whole = sealed;
    this.#range = new Frontier(sealed.size);
    this.#tail = new Frontier(sealed.size);
    this.#leaves = new LeavesBuilder(sealed.size);
  }

  get size(): number {
    return this.#tail.size;
  }

  /** Index at which the open segment begins. */
  get sealedSize(): number {
    return this.#range.from;
  }

  /** The least and the greatest `at` of the open segment; "" while it is empty. */
  get times(): { readonly first: string; readonly last: string } {
    return { first: this.#first, last: this.#last };
  }

  /** @param at When the event happened. */
  append(leaf: Buffer, at: string): void {
    this.#tail.append(leaf);
    this.#leaves.append(leaf);
    if (this.#first === '' || at < this.#first) this.#first = at;
    if (at > this.#last) this.#last = at;
  }

  /** The root; with `more`, as it would be after these. */
  root(more: readonly Buffer[] = []): Buffer {
    const tail = more.length === 0 ? this.#tail : this.#tail.copy();
    for (const leaf of more) tail.append(leaf);
    const whole = this.#whole.copy();
    for (const subtree of tail.subtrees) whole.add(subtree);
    return whole.root();
  }

  /** The log as it is now, as {@link proveFrom} takes it. */
  head(): LogHead {
    this.cut();
    return { size: this.size, root: this.root(), subtrees: [...this.#whole.subtrees] };
  }

  /** What the segment's record and `.leaves` hold. */
  segment(): { readonly range: readonly Subtree[]; readonly leaves: LeavesBuilder } {
    this.cut();
    return { range: [...this.#range.subtrees], leaves: this.#leaves };
  }

  /** The open segment is sealed: another begins. */
  beginSegment(): void {
    this.cut();
    this.#range = new Frontier(this.size);
    this.#leaves = new LeavesBuilder(this.size);
    this.#first = '';
    this.#last = '';
  }

  /**
   * The proof that the log of `later` begins with that of `earlier`, both heads of this object; null if `earlier` is
   * too old, or of another run.
   */
  proveFrom(earlier: LogHead, later: LogHead): Buffer[] | null {
    const since = this.#pieces.filter(({ from }) => from >= earlier.size && from < later.size);
    const isKnown = since[0]?.from === earlier.size || earlier.size === later.size;
    if (!isKnown) return earlier.size === 0 ? [] : null;
    const known = joinRanges([earlier.subtrees, ...since.map(({ subtrees }) => subtrees)]);
    return consistencyProof(earlier.size, later.size, known);
  }

  private cut(): void {
    if (this.#tail.size === this.#tail.from) return;
    const { from, subtrees } = this.#tail;
    for (const subtree of subtrees) {
      this.#whole.add(subtree);
      this.#range.add(subtree);
    }
    this.#pieces.push({ from, subtrees });
    if (this.#pieces.length > mostPieces) this.#pieces.shift();
    this.#tail = new Frontier(this.#whole.size);
  }
}
