import {
  type CheckedSetting,
  type MoneyPlace,
  notedTerms,
  OtherMoneyError,
  OtherTermsError,
  StoreUnsafeError,
} from '../../../wallet';
import type { AmountTerms } from '../../../../protocol/money/amount';
import { migrations, schemaVersion, servesFromOf, servesProgram } from './migrations';
import { isMissing, type PostgresClient, query } from '../client/port';
import { quoteSchema } from './name';

/** What to check a server against. */
interface SafetyExpectations extends AmountTerms {
  readonly schema: string;
  /** Where the money is. */
  readonly money: MoneyPlace;
}

/** The oldest supported PostgreSQL. */
const oldestVersion = 14;

const settingsQuery = `SELECT
  current_setting('server_version_num'), current_setting('server_version'), pg_is_in_recovery(),
  current_setting('server_encoding'), current_setting('fsync'),
  current_setting('full_page_writes'), current_setting('synchronous_commit'),
  current_setting('array_nulls'), current_setting('default_transaction_isolation'),
  current_setting('transaction_read_only')`;

/**
 * The settings of a connection's server that money depends on. Every value of synchronous_commit except `off` waits for the
 * server's own disk; the remote ones wait for standbys too.
 * @throws StoreUnsafeError for a server that is too old or not UTF-8, and for a session that reads NULL in an array as
 *   text or does not run its transactions at READ COMMITTED; an error for a standby, and for a session that may only read:
 *   a later one may be fit.
 */
export async function readSettings(client: PostgresClient): Promise<CheckedSetting[]> {
  const [row = []] = await query(client, settingsQuery);
  const [
    version,
    versionText,
    inRecovery,
    encoding,
    fsync,
    fullPageWrites,
    synchronousCommit,
    arrayNulls,
    isolation,
    readOnly,
  ] = row;
  if (Number(version) < oldestVersion * 10_000) {
    throw new StoreUnsafeError(
      `PostgreSQL ${versionText} is too old: ${oldestVersion} or later is needed.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new StoreUnsafeError(
      `The database keeps ${encoding}: create it with ENCODING 'UTF8', otherwise identifiers are lost.`,
    );
  }
  const found: Readonly<Record<SettingName, string | null | undefined>> = {
    array_nulls: arrayNulls,
    default_transaction_isolation: isolation,
    fsync,
    full_page_writes: fullPageWrites,
    synchronous_commit: synchronousCommit,
  };
  const settings = demands.map(({ name, needs, isMet, otherwise }) => {
    const value = found[name] ?? null;
    return { name, value, needs, isMet: isMet(value), otherwise };
  });
  // No place is left to accept these.
  const [fatal] = dangersOf(settings.filter((_, at) => demands[at]?.isFatal));
  if (fatal !== undefined) throw new StoreUnsafeError(fatal);
  // A standby may be behind its primary, and refuses writes.
  if (inRecovery === 't') throw new Error('the server is a standby');
  // A managed service sets it while the disk is full, and the session would keep it.
  if (readOnly === 'on') {
    throw new Error(
      'default_transaction_read_only is on, for the server, the database, the role or this connection',
    );
  }
  return settings;
}

/** What settings put at stake, one sentence each; empty if they are safe. */
export function dangersOf(settings: readonly CheckedSetting[]): string[] {
  return settings
    .filter(({ isMet }) => isMet !== true)
    .map(({ name, needs, otherwise }) => `${name} must be ${needs}: otherwise ${otherwise}.`);
}

const isOn = (value: string | null): boolean => value === 'on';

/** What each setting must be; without a fatal one a wallet works, but not always right. */
const demands = [
  {
    name: 'array_nulls', // a commit's parameters are arrays
    needs: 'on, also for this role and database',
    isMet: isOn,
    isFatal: true,
    otherwise: 'bets are taken, and their voids and wins fail',
  },
  {
    // Functions read again what they have waited for (a block beside a new account, the balances of an event).
    name: 'default_transaction_isolation',
    needs: 'read committed, also for this role and database',
    isMet: (value: string | null) => value === 'read committed',
    isFatal: true,
    otherwise: 'a blocked player may get an account that is not blocked',
  },
  {
    name: 'fsync',
    needs: 'on',
    isMet: isOn,
    isFatal: false,
    otherwise: 'a crash of the machine loses money that was acknowledged',
  },
  {
    name: 'full_page_writes',
    needs: 'on',
    isMet: isOn,
    isFatal: false,
    otherwise: 'a crash of the machine can leave pages half written',
  },
  {
    name: 'synchronous_commit',
    needs: 'on, local or one of remote_*, not off',
    isMet: (value: string | null) => value !== 'off',
    isFatal: false,
    otherwise: 'a crash loses money that was acknowledged',
  },
] as const;

type SettingName = (typeof demands)[number]['name'];

/** The first table of a schema ($1) whose rows row level security may hide from the session's user. */
const filteredTable = `SELECT min(c.relname::text) FROM pg_class c
  WHERE c.relrowsecurity AND c.relnamespace = to_regnamespace($1) AND row_security_active(c.oid)`;

/**
 * Checks the schema against the one of this version, or a later one that serves it too, and the decimals and the place of
 * the money against those of the data; the first store to come writes them.
 * @throws StoreUnsafeError if they differ, or row level security applies to the user.
 */
export async function checkSchema(
  client: PostgresClient,
  { schema, money, ...amounts }: SafetyExpectations,
): Promise<void> {
  const latest = migrations.at(-1);
  const table = `${quoteSchema(schema)}.migrations`;
  const [found] = await query(
    client,
    `SELECT max(number), max(checksum) FILTER (WHERE number = ${schemaVersion}), (${filteredTable}) FROM ${table}`,
    [quoteSchema(schema)],
  ).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  checkNothingHidden(schema, found?.[2]);
  const number = Number(found?.[0] ?? 0);
  if (number === 0) throw missingSchema(schema);
  if (number < schemaVersion) {
    throw new StoreUnsafeError(
      `The schema ${schema} is at ${number}, not ${schemaVersion}: run \`rgs-wallet migrate\`, or set the option migrate.`,
    );
  }
  if (number > schemaVersion) await checkLater(client, schema, table, number);
  if (found?.[1] !== latest?.checksum) {
    throw new StoreUnsafeError(
      `Migration ${latest?.name} was applied to the schema ${schema} with other content than this version has: use the version of rgs-wallet-kit that applied it.`,
    );
  }
  const noted = (call: string) => `(SELECT r[1] FROM ${quoteSchema(schema)}.${call} AS r)`;
  const settings = `SELECT ${noted("note_setting('decimals', $1)")}, ${noted('note_money($2)')}`;
  const [stored = []] = await query(client, settings, [notedTerms(amounts), money]);
  if (stored[0] !== notedTerms(amounts)) {
    throw new OtherTermsError(`in the schema ${schema}`, String(stored[0]), amounts);
  }
  if (stored[1] !== money) {
    throw new OtherMoneyError('schema', schema, money, (stored[1] ?? 'accounts') as MoneyPlace);
  }
}

/** A database without the schema has lost its data, or is a new one: only a person can tell. */
export function missingSchema(schema: string): StoreUnsafeError {
  return new StoreUnsafeError(
    `The schema ${schema} does not exist: restore its data, or create a new store with \`rgs-wallet migrate\` or the option init.`,
  );
}

/** @throws StoreUnsafeError if a table is named: a hidden account is an unknown player, whose win would be refused for good. */
function checkNothingHidden(schema: string, table: string | null | undefined): void {
  if (typeof table !== 'string') return;
  throw new StoreUnsafeError(
    `The row level security of ${schema}.${table} applies to the user of the wallet: disable it for the tables of this schema, or give the user BYPASSRLS.`,
  );
}

/**
 * Checks that each migration beyond this version's serves this version too.
 * @throws StoreUnsafeError if one does not.
 */
async function checkLater(
  client: PostgresClient,
  schema: string,
  table: string,
  number: number,
): Promise<void> {
  const later = await query(
    client,
    `SELECT ${servesFromOf('m')} FROM ${table} m WHERE number > ${schemaVersion}`,
  );
  if (later.every(([servesFrom]) => servesProgram(servesFrom, schemaVersion))) return;
  throw new StoreUnsafeError(
    `The schema ${schema} is at ${number}, newer than the ${schemaVersion} of this version, and does not serve it: use the version of rgs-wallet-kit that created it, or a later one.`,
  );
}
