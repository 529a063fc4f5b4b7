import type { PGlite } from '@electric-sql/pglite';
import type { Clock } from '../../../../lib/platform';

/** The setting that the database's clock reads, in milliseconds since 1970. */
const setting = 'world.now';

/** Gives the database a clock of its own, before anything uses the machine's: its functions take it by name. */
export async function replaceClock(database: PGlite): Promise<void> {
  for (const name of ['statement_timestamp', 'clock_timestamp']) {
    await database.exec(`
      ALTER FUNCTION pg_catalog.${name}() RENAME TO ${name}_of_machine;
      CREATE FUNCTION pg_catalog.${name}() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
        $$ SELECT pg_catalog.to_timestamp(pg_catalog.current_setting('${setting}')::float8 / 1000) $$`);
  }
  await database.exec(`SET ${setting} = '0'`);
}

/** Tells the database the time of a clock, before a statement. */
export function tellingTime(database: PGlite, clock: Pick<Clock, 'now'>): () => Promise<void> {
  let told = Number.NaN;
  return async () => {
    const now = clock.now();
    if (now === told) return;
    told = now;
    await database.exec(`SET ${setting} = '${now}'`);
  };
}
