import type { Events } from '../../../events';
import { keptTokens, type Lineage } from '../../lineage';
import { type PostgresClient, query } from '../client/port';
import { quoteSchema } from '../schema/name';

/** What the past of the data is compared with. */
export interface DataPastOptions {
  readonly schema: string;
  readonly lineage: Lineage;
  readonly events: Events;
}

/** Keeps the token of this process in the schema, and compares it: see {@link Lineage}. */
export class DataPast {
  /** System identifier and timeline of the server as last seen. */
  #origin: string | null = null;

  constructor(private readonly options: DataPastOptions) {}

  /** @throws StoreUnsafeError once older data were found. */
  confirm(): void {
    this.options.lineage.check(Number.MAX_SAFE_INTEGER);
  }

  /** Only reads, so that it does not wait for a standby. @throws StoreUnsafeError for older data */
  async check(client: PostgresClient): Promise<void> {
    const { schema, lineage, events } = this.options;
    // What counts before the data are read: a renewal may be confirmed on another connection meanwhile.
    const { least } = lineage.renewal();
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
    if (Number(renewedAt) < least) lineage.check(0);
    this.confirm();
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
