import { Frontier, type Subtree } from '../tlog';
import type { HeadSource } from './anchors';
import { type Findings, grouped } from './findings';

/** The log as far as it was read: its frontier, compared with every known head on the way. */
export class LogState {
  #frontier: Frontier | null = new Frontier();
  #size = 0;
  #anchored: { anchors: readonly string[]; size: number; at: string | null } | null = null;
  /** The `at` of the last event. */
  lastAt: string | null = null;

  constructor(
    private readonly sources: readonly HeadSource[],
    private readonly findings: Findings,
  ) {}

  get size(): number {
    return this.#size;
  }

  get anchored() {
    return this.#anchored;
  }

  /** The next size at which something is to be compared. */
  get nextSize(): number {
    return Math.min(...this.sources.map(({ heads }) => heads.nextSize));
  }

  /** The root, if these subtrees follow; null if it is not known. */
  rootWith(added: readonly Subtree[]): Buffer | null {
    if (this.#frontier === null) return null;
    const frontier = this.#frontier.copy();
    for (const subtree of added) frontier.add(subtree);
    return frontier.root();
  }

  /** Appends subtrees; null if their hashes are not known, so that no root is from here on. */
  extend(added: readonly Subtree[] | null, size: number): void {
    if (added === null) this.#frontier = null;
    else for (const subtree of added) this.#frontier?.add(subtree);
    this.#size = size;
  }

  /**
   * Compares the log of this size with the heads of it; skips those before, which nothing was read of. `added`
   * follows what was extended.
   */
  compare(size: number, added: readonly Subtree[], file: string): void {
    if (this.nextSize > size) return;
    const root = this.rootWith(added);
    for (const source of this.sources) {
      while (source.heads.nextSize <= size) {
        const isHere = source.heads.nextSize === size;
        const head = source.heads.take();
        if (!isHere || root === null || source.differs) continue;
        if (head.has(root)) this.agree(source, size);
        else this.differ(source, size, head.line, file);
      }
    }
  }

  /** Reports the heads that are beyond the end of the log. */
  compareEnd(): void {
    for (const { heads, anchor, file } of this.sources) {
      if (heads.greatest <= this.#size) continue;
      const what = anchor === null ? 'a checkpoint states' : 'the anchor has seen';
      const sizes = `${grouped(heads.greatest)} events, the folder holds ${grouped(this.#size)}`;
      this.findings.fault(file, null, `${what} ${sizes}: the end of the log is gone`);
    }
  }

  private agree({ anchor }: HeadSource, size: number): void {
    if (anchor === null) return;
    const before = this.#anchored?.size === size ? this.#anchored.anchors : [];
    this.#anchored = { anchors: [...new Set([...before, anchor])], size, at: this.lastAt };
  }

  private differ(source: HeadSource, size: number, line: number, file: string): void {
    source.differs = true;
    const { anchor, file: checkpoints } = source;
    const what = anchor === null ? 'stated in' : 'anchored in';
    this.findings.fault(
      file,
      null,
      `the log of ${grouped(size)} events is not the one ${what} ${checkpoints} line ${line}`,
    );
  }
}
