import { Pool } from 'pg';
import { eventsTo } from '../../../lib/operator/events';
import { createOwnTablesStore, createPostgresStore } from '../../../lib/operator/stores/postgres';
import { migrateSchema } from '../../../lib/operator/stores/postgres/schema/migrate';
import type { Migration } from '../../../lib/operator/stores/postgres/schema/migrations';
import type { AccountStore, PlayerKey, FullStore } from '../../../lib/operator/wallet';
import { type Clock, systemClock } from '../../../lib/platform';
import type { ContractPlayers } from '../../../lib/proof';
import { plainTable, playersOfTable, preparePlainTable } from '../../servers/postgres/plain-table';
import { patience } from '../../support/patience';
import type { Variant } from './variants';
import type { OwnTablesStore } from '../../../lib/operator/stores/postgres';

/** The player whose rows are copied for each run. */
export const template: PlayerKey = { operatorId: 'template', playerId: 'p' };
/** The consumer of events, where there is one. */
export const consumer = 'c';

/** One moment for all records, and no work beside what a run asks for: the retention cleaner never comes by itself. */
export const clock: Clock = {
  ...systemClock,
  now: () => 1_790_000_000_000,
  after: (ms, work, kind) => {
    return kind === 'background' ? () => undefined : systemClock.after(ms, work, kind);
  },
};

/** One session at the server: a store over it, and transactions that stay open. */
export interface Session {
  readonly pid: number;
  readonly store: FullStore | OwnTablesStore;
  /** The same where the store has accounts; else null. */
  readonly accounts: AccountStore | null;
  /** The players of a platform with tables of its own; else null. */
  readonly platform: ContractPlayers | null;
  /** Sends a statement in the session, and resolves to its rows, each a list. */
  readonly ask: (text: string, values?: readonly unknown[]) => Promise<unknown[][]>;
  /** The same, prepared once under a name. */
  readonly askPrepared: (
    name: string,
    text: string,
    values: readonly unknown[],
  ) => Promise<unknown[][]>;
}

/** A database with the schema of these migrations, and sessions at it. */
export class Database {
  private readonly closers: (() => Promise<unknown>)[] = [];
  private constructor(
    readonly url: string,
    readonly variant: Variant,
  ) {}

  /** Makes the schema in an empty database. */
  static async open(
    url: string,
    variant: Variant,
    migrations: readonly Migration[],
  ): Promise<Database> {
    const pool = new Pool({ connectionString: url, max: 1 });
    await migrateSchema(pool, 'rgs_wallet', eventsTo(), migrations);
    if (variant.place === 'own') await preparePlainTable(pool);
    const database = new Database(url, variant);
    await createFunctions(pool, variant);
    await pool.end();
    return database;
  }

  /** A session of its own, with a store that passed its check. */
  async session(): Promise<Session> {
    const pool = new Pool({ connectionString: this.url, max: 1, idleTimeoutMillis: 0 });
    const { place, events, history } = this.variant;
    const options = {
      ...patience,
      pool,
      clock,
      acceptLoss: true,
      lockTimeoutMs: 50_000,
      ...(events && { events: [consumer] }),
    };
    const accounts = place === 'own' ? null : createPostgresStore({ ...options, history });
    const store = accounts ?? createOwnTablesStore(options);
    const ask = async (text: string, values: readonly unknown[] = []) => {
      const { rows } = await pool.query<unknown[]>({ text, values: [...values], rowMode: 'array' });
      return rows;
    };
    const askPrepared = async (name: string, text: string, values: readonly unknown[]) => {
      const query = { name, text, values: [...values], rowMode: 'array' as const };
      return (await pool.query<unknown[]>(query)).rows;
    };
    this.closers.push(async () => {
      await store.close();
      await pool.end();
    });
    await store.ready();
    const [[pid] = []] = await ask('SELECT pg_backend_pid()');
    const platform = place === 'own' ? playersOfTable(pool, plainTable) : null;
    return { pid: Number(pid), store, accounts, platform, ask, askPrepared };
  }

  /** Copies the template's rows to a player of this operator; of its rounds, the one named `gone` has expired. */
  async copy({ ask }: Session, operatorId: string): Promise<PlayerKey> {
    await ask('SELECT rgs_wallet.test_copy($1)', [operatorId]);
    return { ...template, operatorId };
  }

  /** Deletes the rows of an operator. */
  async remove({ ask }: Session, operatorId: string): Promise<void> {
    await ask('SELECT rgs_wallet.test_remove($1)', [operatorId]);
  }

  async close(): Promise<void> {
    for (const close of this.closers.splice(0)) await close();
  }
}

const tables = [
  'accounts',
  'cash',
  'rounds',
  'records',
  'balances',
  'blocks',
  'repairs',
  'carried',
];

/** Makes the functions that copy the template's rows and delete a copy: their plans are kept. */
async function createFunctions(pool: Pool, { place }: Variant): Promise<void> {
  const [copies, removals]: [string[], string[]] = [[], []];
  for (const table of tables) {
    const { rows } = await pool.query<{ readonly name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = 'rgs_wallet' AND table_name = $1 AND column_name <> 'operator_id'`,
      [table],
    );
    const columns = rows.map(({ name }) => name).join(', ');
    copies.push(`INSERT INTO rgs_wallet.${table} (operator_id, ${columns})
      SELECT of_operator, ${columns} FROM rgs_wallet.${table} WHERE operator_id = 'template'`);
  }
  copies.push(`UPDATE rgs_wallet.rounds SET expires_at = statement_timestamp() - interval '1 hour'
    WHERE operator_id = of_operator AND game_round = 'gone'`);
  for (const table of [...tables, 'events', 'event_cursors']) {
    removals.push(`DELETE FROM rgs_wallet.${table} WHERE operator_id = of_operator`);
  }
  // What deletes rounds writes it.
  removals.push('DELETE FROM rgs_wallet.carried WHERE operator_id = of_operator');
  if (place === 'own') {
    copies.push(`INSERT INTO casino.accounts SELECT of_operator, "user", currency, real, bonus, "isBlocked"
      FROM casino.accounts WHERE operator = 'template'`);
    removals.push('DELETE FROM casino.accounts WHERE operator = of_operator');
    removals.push('DELETE FROM casino.entries WHERE operator = of_operator');
  }
  for (const [name, statements] of Object.entries({ copy: copies, remove: removals })) {
    await pool.query(`CREATE FUNCTION rgs_wallet.test_${name}(of_operator text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN ${statements.join(';\n')}; END $$`);
  }
}
