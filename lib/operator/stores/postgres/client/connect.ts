import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { Pool } from 'pg';
import type { PostgresPool } from './port';

/** Options of the store's own pool. */
export interface PoolOptions {
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  /** See PostgresStoreOptions. */
  readonly sessionTimeouts: boolean;
  readonly commandTimeoutMs: number;
  readonly tls?: TlsOptions | undefined;
}

/** Time limit of an open transaction; the store never leaves one open, so this is a second safeguard. */
const idleInTransactionMs = 10_000;

/**
 * The store's own pool: `postgres://` or `postgresql://`, with pg's parameters behind the `?`, such as
 * `sslmode`.
 * @throws TypeError for another form, and if TLS is set in both places. The address is not repeated: it
 * may hold a password.
 */
export function connect(url: string, options: PoolOptions): PostgresPool {
  checkAddress(url);
  const { poolSize, connectTimeoutMs, sessionTimeouts, commandTimeoutMs, tls } = options;
  if (tls !== undefined) checkTlsOnce(url);
  return new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'rgs-wallet',
    ...(tls === undefined ? {} : { ssl: tls }),
    ...(sessionTimeouts
      ? {
          statement_timeout: commandTimeoutMs,
          idle_in_transaction_session_timeout: idleInTransactionMs,
        }
      : {}),
  });
}

function checkAddress(url: string): void {
  if (!/^postgres(?:ql)?:\/\/[^\s]+$/.test(url) || !URL.canParse(url)) {
    throw new TypeError('the address of PostgreSQL must be such as postgres://host:5432/database');
  }
}

/** pg would follow the address and ignore the option: with `sslmode=disable` it would not even encrypt. */
function checkTlsOnce(url: string): void {
  const names = [...new URL(url).searchParams.keys()];
  if (names.some((name) => /^ssl/i.test(name))) {
    throw new TypeError('set either tls or the ssl parameters of the address, not both');
  }
}
