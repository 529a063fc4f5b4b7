import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { AccountStore } from '../../../lib/operator/wallet';
import type { Cleanup } from '../../servers/cleanup';
import { startPostgres } from '../../servers/postgres/server';
import { startRedis } from '../../servers/redis/server';
import { storm, type StormFigures, type StormOptions } from './storm';
import { patience } from '../../support/patience';

/** The seed of this run: another one by the environment. */
export const seed = Number(process.env['STORM_SEED'] ?? 1);

/** A store on its own Redis. */
export async function redisStore(cleanup: Cleanup): Promise<AccountStore> {
  const { url } = cleanup.after(await startRedis());
  const store = cleanup.after(createRedisStore({ ...patience, init: true, url }));
  await store.ready();
  return store;
}

/** The storm over its own Redis. */
export async function stormOnRedis(options: StormOptions, cleanup: Cleanup): Promise<StormFigures> {
  return storm(await redisStore(cleanup), options);
}

/** The storm over its own PostgreSQL. */
export async function stormOnPostgres(
  options: StormOptions,
  cleanup: Cleanup,
): Promise<StormFigures> {
  const { url } = cleanup.after(await startPostgres());
  const store = cleanup.after(createPostgresStore({ ...patience, url, init: true }));
  await store.ready();
  return storm(store, options);
}
