import { findPgbouncer } from './postgres/pgbouncer-binary';
import { findPostgres } from './postgres/binary';
import { firstLine, unavailable } from './program-finder';
import { findRedisServer } from './redis/binary';

/**
 * Jest global set-up, run once before the workers start: finds the servers, and passes their places to the
 * workers.
 */
export default async function globalSetup(): Promise<void> {
  process.env['REDIS_SERVER'] = await findRedisServer();
  await tell('POSTGRES_BIN', findPostgres);
  await tell('PGBOUNCER', findPgbouncer);
}

/** A missing program fails the tests that need it, and no others. */
async function tell(variable: string, find: () => Promise<string>): Promise<void> {
  try {
    process.env[variable] = await find();
  } catch (error) {
    process.env[unavailable(variable)] = firstLine(error);
  }
}
