import type { Clock } from '../../../../platform';
import type { Events } from '../../../events';
import type { RoundKey } from '../../../wallet';
import { type AcknowledgedCommit, LastCommits } from '../../last-commits';
import { keptTokens, type Lineage } from '../../lineage';
import { type PostgresClient, query } from '../client/port';
import { quoteSchema } from '../schema/name';

/** What the past of the data is compared with. */
interface DataPastOptions {
  readonly schema: string;
  readonly lineage: Lineage;
  /** How long every round is certainly kept after a commit, in milliseconds. */
  readonly keptMs: number;
  readonly clock: Clock;
  readonly events: Events;
}

/** Rounds that an event names. */
const namedAtMost = 20;

/**
 * Keeps the token of this process in the schema and compares it (see {@link Lineage}), and looks for the commits that it
 * has acknowledged last: a standby that was behind when it became the primary lacks some.
 */
export class DataPast {
  readonly #commits = new LastCommits();
  #lost = 0;
  /** System identifier and timeline of the server as last seen. */
  #origin: string | null = null;

  constructor(private readonly options: DataPastOptions) {}

  /** How many acknowledged commits were found missing. */
  get lost(): number {
    return this.#lost;
  }

  /** Remembers a commit that was acknowledged, with the version of the round after it, or one that it has at least. */
  note({ operatorId, playerId, gameRound }: RoundKey, version: number): void {
    const round = JSON.stringify([operatorId, playerId, gameRound]);
    this.#commits.note(round, version, this.options.clock.monotonicMs());
  }

  /** @throws StoreUnsafeError once older data were found. */
  confirm(): void {
    this.options.lineage.check(Number.MAX_SAFE_INTEGER);
  }

  /** Only reads, so that it does not wait for a standby. @throws StoreUnsafeError for data that lack something */
  async check(client: PostgresClient): Promise<void> {
    const { schema, lineage, events } = this.options;
    const { counted } = lineage;
    const [[line = null] = []] = await query(
      client,
      `SELECT array_to_json(line) FROM ${quoteSchema(schema)}.read_lineage($1) AS line`,
      [lineage.token],
    );
    const [renewedAt = '0', origin = null] = JSON.parse(line ?? '[]') as [string?, string?];
    if (origin !== null && origin !== this.#origin) {
      const before = this.#origin;
      this.#origin = origin;
      if (before !== null) events.emit({ kind: 'serverChanged', before, now: origin });
    }
    lineage.check(Number(renewedAt), counted);
    await this.lookForCommits(client);
  }

  private async lookForCommits(client: PostgresClient): Promise<void> {
    const { schema, lineage, clock, keptMs } = this.options;
    const commits = this.#commits.since(clock.monotonicMs() - keptMs);
    if (commits.length === 0) return;
    const names = commits.map(({ round }) => JSON.parse(round) as [string, string, string]);
    // The function looks up each by its key, whatever the planner thinks of a join.
    const versions = await query(
      client,
      `SELECT ${quoteSchema(schema)}.version_of(n.o, n.p, n.r)
       FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS n(o, p, r, at) ORDER BY n.at`,
      [0, 1, 2].map((part) => names.map((name) => name[part] as string)),
    );
    const missing = commits.filter(({ version }, at) => Number(versions[at]?.[0]) < version);
    if (missing.length === 0) return;
    this.report(missing);
    this.#commits.clear();
    lineage.refuse(
      `PostgreSQL lacks acknowledged commits of ${missing.length} rounds: acknowledged calls are lost.`,
    );
  }

  private report(missing: readonly AcknowledgedCommit[]): void {
    this.#lost += missing.length;
    const rounds = missing.slice(0, namedAtMost).map(({ round, version }) => {
      const [operatorId, playerId, gameRound] = JSON.parse(round) as [string, string, string];
      return { operatorId, playerId, gameRound, version };
    });
    const lost = missing.length;
    this.options.events.emit({ kind: 'commitsLost', store: 'PostgreSQL', lost, rounds });
  }

  /** Resolves once the renewal is as durable as a commit. @throws StoreUnsafeError for older data */
  async renew(client: PostgresClient): Promise<void> {
    const { schema, lineage } = this.options;
    const { at, least } = lineage.renewal();
    const [[answer] = []] = await query(
      client,
      `SELECT line[1] FROM ${quoteSchema(schema)}.renew_lineage($1, $2, $3, $4) AS line`,
      [lineage.token, at, least, keptTokens],
    );
    if (answer === 'renewed') lineage.count(at);
    else lineage.check(0);
  }
}
