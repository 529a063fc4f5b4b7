/** How many acknowledged commits a process remembers. */
export const rememberedCommits = 1000;

/** A commit that was acknowledged. */
export interface AcknowledgedCommit {
  /** The round, as the store names it. */
  readonly round: string;
  /** The version of the round after the commit. */
  readonly version: number;
}

/**
 * The last commits that a process has acknowledged. A store looks for them after each new connection, before
 * it lets calls through: a server that lacks one was behind when it became the master, and calls that the RGS
 * counts as done are lost.
 *
 * `note` is called for each commit, so it allocates nothing: the entries are overwritten in a ring. What it
 * keeps of a call is the name of its round. Give it a text of its own, not a piece of the request's body: V8
 * would keep the whole body alive.
 */
export class LastCommits {
  readonly #rounds = Array.from({ length: rememberedCommits }, () => '');
  readonly #versions = new Float64Array(rememberedCommits);
  readonly #times = new Float64Array(rememberedCommits);
  #next = 0;

  /** Remembers a commit that was acknowledged now, in milliseconds of `Clock.monotonicMs`. */
  note(round: string, version: number, nowMs: number): void {
    const at = this.#next;
    this.#rounds[at] = round;
    this.#versions[at] = version;
    this.#times[at] = nowMs;
    this.#next = at + 1 === rememberedCommits ? 0 : at + 1;
  }

  /**
   * The latest commit of each round, of those acknowledged since this time. Ask for no older ones than the
   * store certainly keeps: a round whose retention is over is not lost.
   */
  since(ms: number): AcknowledgedCommit[] {
    const latest = new Map<string, number>();
    for (const [at, round] of this.#rounds.entries()) {
      const version = this.#versions[at] ?? 0;
      if (version === 0 || (this.#times[at] ?? 0) < ms) continue;
      latest.set(round, Math.max(latest.get(round) ?? 0, version));
    }
    return Array.from(latest, ([round, version]) => ({ round, version }));
  }

  /** Forgets all: the process continues without those that are lost. */
  clear(): void {
    this.#versions.fill(0);
  }
}
