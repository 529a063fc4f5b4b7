import type { Clock } from '../../../../platform';
import type { Events } from '../../../events';
import { type AcknowledgedCommit, LastCommits } from '../../last-commits';
import type { Lineage } from '../../lineage';
import { isCluster, type RedisClient } from '../client/port';
import type { Keys } from '../codec/keys';
import { scripts } from '../commands/scripts';
import { piecesOf } from '../../../../platform/pieces';

/** What the look for acknowledged commits needs. */
interface AcknowledgedOptions {
  readonly keys: Keys;
  readonly lineage: Lineage;
  /** How long every round is certainly kept after a commit, in milliseconds. */
  readonly keptMs: number;
  readonly clock: Clock;
  readonly events: Events;
}

/** Rounds that one script reads; in a cluster one, since two can be in different slots. */
const readAtOnce = 100;

/** Rounds that an event names. */
const namedAtMost = 20;

/**
 * The commits that this process has acknowledged last, and the look for them after each new connection: a
 * replica that was behind when it became the master lacks some.
 */
export class Acknowledged {
  readonly #commits = new LastCommits();
  #lost = 0;

  constructor(
    private readonly client: RedisClient,
    private readonly options: AcknowledgedOptions,
  ) {}

  /** How many were found missing. */
  get lost(): number {
    return this.#lost;
  }

  /** Remembers a commit, by the key of its round. */
  note(key: string, version: number): void {
    this.#commits.note(key, version, this.options.clock.monotonicMs());
  }

  /**
   * Looks for all of them. In a cluster a master that does not answer is skipped: it returns as a new
   * connection, and is looked at then.
   * @throws StoreUnsafeError if one is missing; another error if the server does not answer.
   */
  async look(): Promise<void> {
    const { clock, keptMs, lineage } = this.options;
    const commits = this.#commits.since(clock.monotonicMs() - keptMs);
    const size = isCluster(this.client) ? 1 : readAtOnce;
    const pieces = piecesOf(commits, size);
    const missing = (await Promise.all(pieces.map((piece) => this.missingOf(piece)))).flat();
    if (missing.length === 0) return;
    this.report(missing);
    this.#commits.clear();
    lineage.refuse(
      `Redis lacks acknowledged commits of ${missing.length} rounds: acknowledged calls are lost.`,
    );
  }

  private async missingOf(commits: readonly AcknowledgedCommit[]): Promise<AcknowledgedCommit[]> {
    const call = { rounds: commits.map(({ round }) => round) };
    try {
      const versions = await this.client.call('eval', ...scripts.readVersions.evaluated(call));
      return commits.filter(({ version }, at) => Number((versions as number[])[at]) < version);
    } catch (error) {
      if (isCluster(this.client)) return [];
      throw error;
    }
  }

  private report(missing: readonly AcknowledgedCommit[]): void {
    const { keys, events } = this.options;
    this.#lost += missing.length;
    const rounds = missing
      .slice(0, namedAtMost)
      .map(({ round, version }) => ({ ...keys.readRound(round), version }));
    events.emit({ kind: 'commitsLost', store: 'Redis', lost: missing.length, rounds });
  }
}
