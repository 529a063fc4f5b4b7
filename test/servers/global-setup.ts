import prepareDocuments from '../support/openapi/global-setup';
import { choosePlace } from './data-place';
import { findPgbouncer } from './postgres/pgbouncer-binary';
import { findPostgres } from './postgres/binary';
import { findPrometheus } from './prometheus/binary';
import { firstLine, unavailable } from './program-finder';
import { findRedisServer } from './redis/binary';

/** Of jest's project configuration. */
interface ProjectOf {
  readonly displayName?: { readonly name: string };
}

/**
 * Jest global set-up, run once before the workers start: finds the servers, and passes their places and
 * that of their data to the workers.
 */
export default async function globalSetup(_: object, project: ProjectOf): Promise<void> {
  await prepareDocuments();
  // Kills and failovers are tried on a disk.
  if (project.displayName?.name !== 'slow') process.env['TEST_DATA'] = choosePlace();
  process.env['REDIS_SERVER'] = await findRedisServer();
  await tell('POSTGRES_BIN', findPostgres);
  await tell('PGBOUNCER', findPgbouncer);
  await tell('PROMETHEUS', findPrometheus);
}

/** A missing program fails the tests that need it, and no others. */
async function tell(variable: string, find: () => Promise<string>): Promise<void> {
  try {
    process.env[variable] = await find();
  } catch (error) {
    process.env[unavailable(variable)] = firstLine(error);
  }
}
