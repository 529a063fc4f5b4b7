import type { ConnectionOptions } from 'node:tls';
import { eventsTo } from '../../events';
import type { FullStore, MoneyPlace } from '../../wallet';
import { type Clock, type Logger, type Random, systemClock, systemRandom } from '../../../platform';
import { checkOptionNames, type OptionNames } from '../../../platform/validation/known-names';
import { checkObject, checkSwitches, checkText } from '../../../platform/validation/option-values';
import {
  checkJournal,
  checkOwnTables,
  checkStoreOptions,
  checkStoreParts,
  storeOptionNames,
  type StoreOptions,
} from '../store-options';
import { LimitedPlayers } from '../../wallet/limits/limited-players';
import { Lineage, lineageOptionNames, type LineageOptions } from '../lineage';
import { printAs } from '../printed-as';
import { within } from '../../../platform/within';
import { Companions, mixedOptionNames, type MixedOptions } from '../companions';
import { connect, type PoolOptions } from './client/connect';
import { DataPast } from './connections/data-past';
import { Connections } from './connections/pool';
import { Executor } from './connections/executor';
import { type PostgresPool, reasonOf } from './client/port';
import { moneyAt } from './money';
import { JournalListings } from './lists/listings';
import { PostgresPlayers } from './players';
import { type OwnTablesStore, type PostgresStoreParts, storeOf } from './store';
import { checkSchemaName, defaultSchema } from './schema/name';
import { RetentionCleaner } from './retention-cleaner';
import { servingNotes } from './serving-notes';

/** Options of {@link createPostgresStore} and {@link createOwnTablesStore}: either `url` or `pool`. */
export interface PostgresStoreOptions extends StoreOptions, LineageOptions, MixedOptions {
  /** `postgres://` or `postgresql://`; the store creates its own pool, and closes it. */
  readonly url?: string;
  /**
   * Options of node:tls, such as `{ ca }` for your own authority; with a `url` without TLS parameters.
   * Instead the `url` may have `?sslmode=verify-full&sslrootcert=/path/to/ca.pem`.
   */
  readonly tls?: ConnectionOptions;
  /**
   * Your own `Pool` of pg 8, which others may use too; the store does not close it. Give it a
   * `statement_timeout` of some seconds: without one, a statement that the store has abandoned may keep running.
   */
  readonly pool?: PostgresPool;
  /** Schema of the tables and functions; `rgs_wallet` unless set. Lower-case letters, digits and `_`. */
  readonly schema?: string;
  /**
   * Whether `ready()` brings a schema that exists to this version, as `rgs-wallet migrate` does; false unless set.
   * It creates none: an empty database may have lost its data.
   */
  readonly migrate?: boolean;
  /**
   * Whether `ready()` creates the schema if the database has none, and changes nothing if it has one; false unless
   * set. Do not set it in your daily start command.
   */
  readonly init?: boolean;
  /** Most connections of the store's own pool; 10 unless set. */
  readonly poolSize?: number;
  /** Time limit of a statement, including the wait for a connection, in milliseconds; 2000 unless set. */
  readonly commandTimeoutMs?: number;
  /** Time limit of the wait for a lock, in milliseconds; half of `commandTimeoutMs` unless set. */
  readonly lockTimeoutMs?: number;
  /** Time limit of the first connection and its check, in milliseconds; 5000 unless set. */
  readonly connectTimeoutMs?: number;
  /**
   * Whether connections of the store's own pool set `statement_timeout` (to `commandTimeoutMs`) and
   * `idle_in_transaction_session_timeout` when they open; true unless set. Set it to false behind
   * pgbouncer, which refuses such a connection unless its `ignore_startup_parameters` names them; give the
   * database user a `statement_timeout` there: `ALTER ROLE ... SET statement_timeout = '2s'`. pgbouncer in
   * transaction mode needs nothing else.
   */
  readonly sessionTimeouts?: boolean;
  /**
   * Whether each session prepares the store's statements once, under a name derived from their content,
   * which saves the server their planning; true unless set. A pooler may share sessions without support
   * for prepared statements (pgbouncer before 1.21, or with `max_prepared_statements` 0). The server then
   * refuses the first statement that reaches another session, before it has any effect; the store sends it
   * again unprepared and stops preparing. Set it to false if prepared statements work but have a price, as
   * with RDS Proxy, which then pins the session.
   */
  readonly preparedStatements?: boolean;
  /**
   * Accept a server whose settings lose acknowledged money in a crash. For development. The dangers are
   * logged.
   */
  readonly acceptLoss?: boolean;
  /** Logger for connection trouble; silent unless set. */
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Source of the jitter of pauses; the machine's own unless set. */
  readonly random?: Random;
}

const printedName = '[PostgreSQL store]';

const optionNames: OptionNames<PostgresStoreOptions> = {
  url: true,
  tls: true,
  pool: true,
  schema: true,
  migrate: true,
  init: true,
  poolSize: true,
  commandTimeoutMs: true,
  lockTimeoutMs: true,
  connectTimeoutMs: true,
  sessionTimeouts: true,
  preparedStatements: true,
  acceptLoss: true,
  logger: true,
  clock: true,
  random: true,
  ...storeOptionNames,
  ...lineageOptionNames,
  ...mixedOptionNames,
};

const switches = [
  'migrate',
  'init',
  'sessionTimeouts',
  'preparedStatements',
  'acceptLoss',
  ...Object.keys(lineageOptionNames),
  ...Object.keys(mixedOptionNames),
];

/** How long an abandoned connection counts against the store's own pool, at most. */
const abandonedMs = 30_000;

/** How long connections may take to close. */
const closeMs = 1_000;

/**
 * A store in PostgreSQL 14 or later. It connects on first use; `ready()` resolves once the server check
 * has passed. Create the schema with `rgs-wallet migrate`, `migratePostgres` or the option `init`.
 * @throws TypeError for wrong options.
 */
export function createPostgresStore(options: PostgresStoreOptions): FullStore {
  const parts = partsOf('createPostgresStore', options, 'accounts');
  const { connections, executor } = parts;
  const own = storeOf(parts);
  const store = {
    ...own,
    players: new PostgresPlayers(parts, own.events),
    lists: new JournalListings(executor),
    keepForLedger: () => {
      checkJournal(parts.limitsFromHistory);
      connections.keepForLedger();
    },
  };
  return printAs(store, printedName);
}

/**
 * A store for money that is in tables of yours in the same database. Each commit moves it there, in the statement that
 * writes the round, through two functions of yours in the store's schema: `move_money` and `accounts_of`
 * (docs/own-tables.md; `rgs-wallet money-functions` prints them for a plain table). So nothing is ever pending, and there is
 * no sweeper. Players, deposits and blocks stay yours. `ready()` also calls both functions for an unknown player, and undoes it:
 * it throws StoreUnsafeError if one is missing, has another signature, fails, or may not be executed. A schema made for the
 * other kind of money is refused.
 * @throws TypeError for wrong options.
 */
export function createOwnTablesStore(options: PostgresStoreOptions): OwnTablesStore {
  return printAs(storeOf(partsOf('createOwnTablesStore', options, 'own')), printedName);
}

/** Checks the options, and connects the parts of a store. */
function partsOf(
  name: string,
  options: PostgresStoreOptions,
  place: MoneyPlace,
): PostgresStoreParts {
  checkOptionNames(name, options, optionNames);
  checkSwitches(options, switches);
  checkStoreParts(options);
  const checked = checkStoreOptions(options);
  const { events: consumers, history, ...kept } = checked;
  const { decimals, unit, retentionMs } = kept;
  if (place === 'own') checkOwnTables(name, checked);
  const { schema = defaultSchema, clock = systemClock, random = systemRandom } = options;
  checkSchemaName(schema);
  const limits = limitsOf(options);
  const { commandTimeoutMs, connectTimeoutMs, lockTimeoutMs } = limits;
  const acceptLoss = options.acceptLoss === true;
  const { pool, release } = poolOf(options, limits, clock);
  const events = eventsTo(options.logger);
  const lineage =
    options.serves === false
      ? null
      : new Lineage({
          store: 'PostgreSQL',
          place: `in the schema ${schema}`,
          acceptOlderData: options.acceptOlderData === true,
          random,
          clock,
          events,
        });
  const keptMs = retentionMs - 2 * commandTimeoutMs;
  const past = lineage === null ? null : new DataPast({ schema, lineage, keptMs, clock, events });
  const connections = new Connections(pool, {
    schema,
    decimals,
    unit,
    money: place,
    past,
    acceptLoss,
    migrate: options.migrate === true,
    init: options.init === true,
    connectTimeoutMs,
    // A pool that others use too gets its connections back at once.
    abandonedMs: options.url === undefined ? 0 : abandonedMs,
    clock,
    events,
  });
  const executor = new Executor(connections, {
    clock,
    random,
    schema,
    commandTimeoutMs,
    preparedStatements: options.preparedStatements !== false,
    events,
  });
  const [serves, acceptMixed] = [options.serves !== false, options.acceptMixed === true];
  const notes = servingNotes(connections, { schema, commandTimeoutMs });
  const watching = { store: 'PostgreSQL', notes, acceptMixed, clock, random, events } as const;
  return {
    ...kept,
    companions: serves ? new Companions({ ...watching, retentionMs, reasonOf }) : null,
    money: moneyAt(place, executor, history),
    consumers,
    refusesUnnamed: serves && !acceptMixed,
    events,
    connections,
    past,
    executor,
    cleaner: new RetentionCleaner(executor, retentionMs, { clock, random }),
    clock,
    limited: new LimitedPlayers(),
    writing: { accept_loss: acceptLoss, lock_timeout_ms: lockTimeoutMs },
    release,
  };
}

type Limits = Pick<PoolOptions, 'poolSize' | 'connectTimeoutMs' | 'commandTimeoutMs'> & {
  readonly lockTimeoutMs: number;
};

/** The limits of connections and statements. @throws TypeError that names a wrong one */
function limitsOf(options: PostgresStoreOptions): Limits {
  const { commandTimeoutMs = 2000, connectTimeoutMs = 5000, poolSize = 10 } = options;
  checkWhole('commandTimeoutMs', commandTimeoutMs);
  const { lockTimeoutMs = Math.max(1, Math.floor(commandTimeoutMs / 2)) } = options;
  checkWhole('lockTimeoutMs', lockTimeoutMs);
  checkWhole('connectTimeoutMs', connectTimeoutMs);
  checkWhole('poolSize', poolSize);
  return { commandTimeoutMs, connectTimeoutMs, lockTimeoutMs, poolSize };
}

/** Your pool, which stays open, or one of the store's own. @throws TypeError unless exactly one is set */
function poolOf(
  { url, pool, tls, sessionTimeouts }: PostgresStoreOptions,
  { poolSize, connectTimeoutMs, commandTimeoutMs }: Limits,
  clock: Clock,
): { pool: PostgresPool; release: () => Promise<void> } {
  checkText('url', url);
  checkObject('tls', tls);
  if (pool !== undefined && url === undefined) {
    // A Client of pg can connect too, but only once.
    if (typeof pool?.connect !== 'function' || 'processID' in pool) {
      throw new TypeError('pool must be a pg Pool');
    }
    if (tls !== undefined) throw new TypeError('tls needs url: a pool has its own TLS settings');
    return { pool, release: async () => {} };
  }
  if (url === undefined || pool !== undefined) throw new TypeError('set either url or pool');
  const owned = connect(url, {
    poolSize,
    connectTimeoutMs,
    commandTimeoutMs,
    sessionTimeouts: sessionTimeouts !== false,
    tls,
  });
  owned.on('error', () => {}); // the connections report errors while there are any
  const release = async (): Promise<void> => {
    await within(clock, closeMs, owned.end()).catch(() => {}); // a silent server does not answer a close
  };
  return { pool: owned, release };
}

function checkWhole(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || value > 2 ** 31 - 1) {
    throw new TypeError(`${name} must be a whole number of at least 1`);
  }
}
