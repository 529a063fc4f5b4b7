import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { Pool } from 'pg';
import type { PostgresPool } from './port';

/** How the store's own pool is made. */
export interface PoolOptions {
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  /** See PostgresStoreOptions. */
  readonly sessionTimeouts: boolean;
  readonly commandTimeoutMs: number;
  readonly tls?: TlsOptions | undefined;
}

/** How long a transaction may lie open; the store never leaves one, so it is a second fence. */
const idleInTransactionMs = 10_000;

/**
 * A pool made for the store: `postgres://` or `postgresql://`, with what pg knows behind the `?`, such as `sslmode`.
 * @throws TypeError for another form, and for TLS that is told twice. The address is not repeated: it may hold a
 * password.
 */
export function connect(url: string, options: PoolOptions): PostgresPool {
  checkAddress(url);
  const { poolSize, connectTimeoutMs, sessionTimeouts, commandTimeoutMs, tls } = options;
  if (tls !== undefined) checkUntold(url);
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

/** pg would take what the address says, and forget the option: with `sslmode=disable` also its encryption. */
function checkUntold(url: string): void {
  const names = [...new URL(url).searchParams.keys()];
  if (names.some((name) => /^ssl/i.test(name))) {
    throw new TypeError('set either tls or the ssl parameters of the address, not both');
  }
}
