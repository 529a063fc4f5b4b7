import { StoreUnsafeError } from '../../../wallet';
import { type MoneyPlace, OtherMoneyError } from './money-place';
import { migrations, schemaVersion, servesProgram } from './migrations';
import { isMissing, type PostgresClient, query } from '../client/port';
import { quoteSchema } from './name';

/** What to check a server against. */
export interface SafetyExpectations {
  readonly schema: string;
  readonly decimals: number;
  /** Where the money is. */
  readonly money: MoneyPlace;
}

/** The oldest supported PostgreSQL. */
const oldestVersion = 14;

const settingsQuery = `SELECT
  current_setting('server_version_num'), current_setting('server_version'), pg_is_in_recovery(),
  current_setting('server_encoding'), current_setting('fsync'),
  current_setting('full_page_writes'), current_setting('synchronous_commit'),
  current_setting('array_nulls')`;

/**
 * What the settings of a connection's server put at stake, one sentence each; empty if it is safe. Every
 * value of synchronous_commit except `off` waits for the server's own disk; the remote ones wait for
 * standbys too.
 * @throws StoreUnsafeError for a server that is too old, not UTF-8, or reads NULL in an array as text;
 *   an error for a standby.
 */
export async function findDangers(client: PostgresClient): Promise<string[]> {
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
  // A commit's parameters are arrays. No place is left to accept this: a first debit would still pass.
  if (arrayNulls !== 'on') {
    throw new StoreUnsafeError(
      'array_nulls must be on, also for this role and database: otherwise bets are taken, and their voids and wins fail.',
    );
  }
  // A standby may be behind its primary, and refuses writes.
  if (inRecovery === 't') throw new Error('the server is a standby');
  const demands: readonly (readonly [boolean, string])[] = [
    [
      fsync === 'on',
      'fsync must be on: otherwise a crash of the machine loses money that was acknowledged.',
    ],
    [
      fullPageWrites === 'on',
      'full_page_writes must be on: otherwise a crash of the machine can leave pages half written.',
    ],
    [
      synchronousCommit !== 'off',
      'synchronous_commit must be on, local or one of remote_*, not off: otherwise a crash loses money that was acknowledged.',
    ],
  ];
  return demands.filter(([isMet]) => !isMet).map(([, danger]) => danger);
}

/**
 * Checks the schema against the one of this version, or a later one that serves it too, and the decimals and the place of
 * the money against those of the data; the first store to come writes them.
 * @throws StoreUnsafeError if they differ.
 */
export async function checkSchema(
  client: PostgresClient,
  { schema, decimals, money }: SafetyExpectations,
): Promise<void> {
  const latest = migrations.at(-1);
  const table = `${quoteSchema(schema)}.migrations`;
  const [found] = await query(
    client,
    `SELECT max(number), max(checksum) FILTER (WHERE number = ${schemaVersion}) FROM ${table}`,
  ).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const number = Number(found?.[0] ?? 0);
  if (number < schemaVersion) {
    const state = number === 0 ? 'does not exist' : `is at ${number}, not ${schemaVersion}`;
    throw new StoreUnsafeError(
      `The schema ${schema} ${state}: run \`rgs-wallet migrate\`, or set the option migrate.`,
    );
  }
  if (number > schemaVersion) await checkLater(client, schema, table, number);
  if (found?.[1] !== latest?.checksum) {
    throw new StoreUnsafeError(
      `Migration ${latest?.name} was applied to the schema ${schema} with other content than this version has: use the version of rgs-wallet-kit that applied it.`,
    );
  }
  const noted = (name: string, value: string) =>
    `(SELECT r[1] FROM ${quoteSchema(schema)}.note_setting(${name}, ${value}) AS r)`;
  const settings = `SELECT ${noted("'decimals'", '$1')}, ${noted("'money'", '$2')}`;
  const [stored = []] = await query(client, settings, [String(decimals), money]);
  if (stored[0] !== String(decimals)) {
    throw new StoreUnsafeError(
      `The data in the schema ${schema} has decimals ${stored[0]}; this store is set to ${decimals}.`,
    );
  }
  if (stored[1] !== money) {
    throw new OtherMoneyError(schema, money, stored[1] === 'own' ? 'own' : 'accounts');
  }
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
    `SELECT serves_from FROM ${table} WHERE number > ${schemaVersion}`,
  );
  if (later.every(([servesFrom]) => servesProgram(servesFrom, schemaVersion))) return;
  throw new StoreUnsafeError(
    `The schema ${schema} is at ${number}, newer than the ${schemaVersion} of this version, and does not serve it: use the version of rgs-wallet-kit that created it, or a later one.`,
  );
}
