import { notedTerms, OtherTermsError, StoreUnsafeError } from '../../../wallet';
import { type Events, eventsTo } from '../../../events';
import { type Clock, type Logger, systemClock } from '../../../../platform';
import type { AmountTerms } from '../../../../protocol/money/amount';
import { checkOptionNames, type OptionNames } from '../../../../platform/validation/known-names';
import { defined } from '../../../../platform/validation/defined';
import { checkPart, checkText } from '../../../../platform/validation/option-values';
import { checkTerms } from '../../store-options';
import { connect } from '../client/connect';
import {
  migrations as ownMigrations,
  type Migration,
  servesFromOf,
  servesProgram,
  statementsIn,
} from './migrations';
import { handleErrors, handleErrorsOf } from '../client/connection-errors';
import { codeOf, type PostgresClient, type PostgresPool, query } from '../client/port';
import { missingSchema } from './safety-check';
import { checkSchemaName, defaultSchema, quoteSchema } from './name';

/**
 * Options of {@link migratePostgres}: either `url` or `pool`. `decimals` and `unit` are those of the store (D2.5, P19): if one is
 * set, both are noted with the data, unless they are already. If none is, the first process that opens the schema notes its own.
 */
export interface MigratePostgresOptions extends Partial<AmountTerms> {
  /** `postgres://` or `postgresql://`; its user must be allowed to create the schema, or own it. */
  readonly url?: string;
  /** Your own pool; it is not closed. */
  readonly pool?: PostgresPool;
  /** `rgs_wallet` unless set. */
  readonly schema?: string;
  readonly logger?: Logger;
  /**
   * For how long it tries again where calls or another session hold a table, in milliseconds; 30,000 unless set. 0: it
   * tries once.
   */
  readonly retryForMs?: number;
}

/** How long the migration waits for a table, in milliseconds: less than a call does, and calls queue up meanwhile. */
const lockTimeoutMs = 500;

/** The pause until the next attempt, in milliseconds: waiting calls continue meanwhile. */
const retryPauseMs = 1000;

const defaultRetryForMs = 30_000;

const optionNames: OptionNames<MigratePostgresOptions> = {
  url: true,
  pool: true,
  schema: true,
  decimals: true,
  unit: true,
  logger: true,
  retryForMs: true,
};

/** The result of {@link migratePostgres}. */
export interface MigrationReport {
  /** The names of the applied migrations, in order; empty if the schema was up to date. */
  readonly applied: readonly string[];
  /** The number of the schema afterwards; higher than this version's where a later one migrated that serves this one too. */
  readonly version: number;
}

/**
 * Brings the schema of a database to this version, in one transaction: all of it, or nothing. Safe to run
 * several times, and by several processes at once. It waits half a second for a table that calls or another session
 * hold, and no longer, since calls queue up meanwhile; then it rolls back and tries again after a second, as long as
 * `retryForMs` allows.
 * @throws TypeError for wrong options; StoreUnsafeError if the database has a newer schema that does not serve
 * this version, or one from other migrations, or its data note other decimals or another unit; what pg throws if the database does not answer, refuses
 * permission; an Error if a table is still held. Then nothing has changed.
 */
export async function migratePostgres(options: MigratePostgresOptions): Promise<MigrationReport> {
  checkOptionNames('migratePostgres', options, optionNames);
  const { url, pool, schema = defaultSchema, logger, retryForMs = defaultRetryForMs } = options;
  checkSchemaName(schema);
  if (!Number.isSafeInteger(retryForMs) || retryForMs < 0) {
    throw new TypeError('retryForMs must be a whole number of milliseconds of at least 0');
  }
  checkText('url', url);
  checkPart('pool', pool, ['connect']);
  checkPart('logger', logger, ['info', 'warn', 'error']);
  checkTerms(options);
  const { decimals, unit } = options;
  const run = { events: eventsTo(logger), retryForMs, terms: defined({ decimals, unit }) };
  if (pool !== undefined && url === undefined) return migratePatiently(pool, schema, run);
  if (url === undefined || pool !== undefined) throw new TypeError('set either url or pool');
  const owned = connect(url, {
    poolSize: 1,
    connectTimeoutMs: 10_000,
    sessionTimeouts: false,
    commandTimeoutMs: 0,
  });
  owned.on('error', () => {}); // the statement in flight reports the error
  try {
    return await migratePatiently(owned, schema, run);
  } finally {
    await owned.end();
  }
}

/** What a migration may do. */
interface MigrationScope {
  /** Create a schema if there is none; true unless set. */
  readonly creates?: boolean;
  /** Change a schema that exists; true unless set. */
  readonly upgrades?: boolean;
  /** What is noted with the data; nothing unless one of both is set. */
  readonly terms?: Partial<AmountTerms>;
}

/** How {@link migratePatiently} goes about it. */
interface MigrationRun extends MigrationScope {
  readonly events: Events;
  readonly clock?: Clock;
  readonly retryForMs?: number;
  /** Ends the attempts: what the last one threw is thrown. */
  readonly signal?: AbortSignal;
  readonly migrations?: readonly Migration[];
}

/** Migrates, and tries again while a table is held. @throws what {@link migrateSchema} throws. */
export async function migratePatiently(
  pool: PostgresPool,
  schema: string,
  run: MigrationRun,
): Promise<MigrationReport> {
  const { events, clock = systemClock, retryForMs = defaultRetryForMs, signal } = run;
  const deadline = clock.monotonicMs() + retryForMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await migrateSchema(pool, schema, events, run.migrations, run);
    } catch (error) {
      const isOver = clock.monotonicMs() + retryPauseMs >= deadline || signal?.aborted === true;
      if (!(error instanceof TableHeldError) || isOver) throw error;
    }
    if (isFirst) events.emit({ kind: 'migrationWaits', schema, retryForMs });
    await clock.pause(retryPauseMs, signal);
  }
}

/** Calls or another session held a table for too long; nothing was changed. */
class TableHeldError extends Error {
  override readonly name = 'TableHeldError';

  constructor(schema: string, cause: unknown) {
    super(
      `Another session holds a table of the schema ${schema}: nothing was changed. Migrate again once its transaction has ended.`,
      { cause },
    );
  }
}

/**
 * Whatever the role and the database have set: one that waits for another must see what that one did, a table may take long to
 * change, and the time between two statements is this process's own.
 */
const begin =
  'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;' +
  ' SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

/** The states of a statement that waited too long for a lock, or was chosen to end a deadlock. */
const heldStates: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/**
 * One attempt, over a pool. Written by hand: libraries for this (node-pg-migrate, postgres-migrations) take a
 * session lock, and a pooler such as pgbouncer shares sessions; a transaction lock is safe there.
 */
export async function migrateSchema(
  pool: PostgresPool,
  schema: string,
  events: Events = eventsTo(),
  migrations: readonly Migration[] = ownMigrations,
  scope: MigrationScope = {},
): Promise<MigrationReport> {
  const stopHandling = handleErrors(pool);
  const client = await pool.connect().finally(stopHandling);
  handleErrorsOf(client);
  try {
    await query(client, begin);
    const { applied, version } = await applyMissing(client, schema, migrations, scope);
    await noteTerms(client, schema, scope.terms);
    await query(client, 'COMMIT');
    for (const { name } of applied) {
      events.emit({ kind: 'migrationApplied', migration: name, schema });
    }
    client.release();
    return { applied: applied.map(({ name }) => name), version };
  } catch (error) {
    // The server rolls back the transaction of a lost connection.
    client.release(true);
    throw heldStates.has(codeOf(error)) ? new TableHeldError(schema, error) : error;
  }
}

async function applyMissing(
  client: PostgresClient,
  schema: string,
  migrations: readonly Migration[],
  { creates = true, upgrades = true }: MigrationScope,
): Promise<{ applied: Migration[]; version: number }> {
  const quoted = quoteSchema(schema);
  // A second process waits here, and finds everything done.
  await query(client, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `rgs-wallet migrations of ${schema}`,
  ]);
  await query(client, `SET LOCAL lock_timeout = ${lockTimeoutMs}`);
  await createTable(client, quoted);
  const rows = await query(
    client,
    `SELECT number, name, checksum, ${servesFromOf('m')} FROM ${quoted}.migrations m ORDER BY number`,
  );
  const checksums = new Map(rows.map(([number, , checksum]) => [Number(number), checksum]));
  if (checksums.size === 0 && !creates) throw missingSchema(schema);
  if (checksums.size > 0 && !upgrades)
    return { applied: [], version: Math.max(...checksums.keys()) };
  for (const [number, name, , servesFrom] of rows) {
    if (Number(number) <= migrations.length || servesProgram(servesFrom, migrations.length))
      continue;
    throw new StoreUnsafeError(
      `The schema ${schema} has migration ${name}, which this version does not know: use the version of rgs-wallet-kit that applied it, or a later one.`,
    );
  }
  const missing: Migration[] = [];
  for (const migration of migrations) {
    const applied = checksums.get(migration.number);
    if (applied === undefined) missing.push(migration);
    else if (applied !== migration.checksum) {
      throw new StoreUnsafeError(
        `Migration ${migration.name} was applied to the schema ${schema} with other content than this version has: use the version of rgs-wallet-kit that applied it.`,
      );
    }
  }
  for (const { number, name, source, checksum, servesFrom } of missing) {
    for (const statement of statementsIn(source.replaceAll('{schema}', quoted))) {
      await query(client, statement);
    }
    await query(
      client,
      `INSERT INTO ${quoted}.migrations (number, name, checksum, serves_from) VALUES ($1, $2, $3, $4)`,
      [number, name, checksum, servesFrom],
    );
  }
  return { applied: missing, version: Math.max(migrations.length, ...checksums.keys()) };
}

/** Notes decimals and unit if one is set, as a store does that opens the data first. @throws OtherTermsError for other ones than noted. */
async function noteTerms(
  client: PostgresClient,
  schema: string,
  terms: Partial<AmountTerms> = {},
): Promise<void> {
  if (terms.decimals === undefined && terms.unit === undefined) return;
  const wanted = checkTerms(terms);
  const text = `SELECT r[1] FROM ${quoteSchema(schema)}.note_setting('decimals', $1) AS r`;
  const [[noted] = []] = await query(client, text, [notedTerms(wanted)]);
  if (noted === notedTerms(wanted)) return;
  const error = new OtherTermsError(`in the schema ${schema}`, String(noted), wanted);
  if (error.complete(terms) === null) throw error;
}

/** Creates the table of migrations. */
async function createTable(client: PostgresClient, quoted: string): Promise<void> {
  const [known] = await query(client, 'SELECT to_regnamespace($1), to_regclass($2)', [
    quoted,
    `${quoted}.migrations`,
  ]);
  // The owner of the schema may not be allowed to create one, and CREATE SCHEMA IF NOT EXISTS checks that
  // first.
  if (known?.[0] === null) await query(client, `CREATE SCHEMA ${quoted}`);
  if (known?.[1] === null) {
    await query(
      client,
      `CREATE TABLE ${quoted}.migrations (
         number integer PRIMARY KEY,
         name text NOT NULL,
         checksum text NOT NULL,
         applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
         serves_from integer
       )`,
    );
  }
}
