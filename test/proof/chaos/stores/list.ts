import { mountDisk } from '../../../servers/bounded-disk';
import type { Cleanup } from '../../../servers/cleanup';
import { findPgbouncer } from '../../../servers/postgres/pgbouncer-binary';
import { findPostgres } from '../../../servers/postgres/binary';
import { findRedisServer } from '../../../servers/redis/binary';
import type { Field } from './field';
import { startPgbouncerField, startPostgresField, startStandbyField } from './postgres';
import { startRedisField } from './redis';
import { startClusterField, startSentinelField } from './replicated-redis';

/** What keeps the money. */
export interface ChaosStore {
  readonly title: string;
  /** Each rejects, with a line that says what is missing on this machine. */
  readonly needs: readonly (() => Promise<unknown>)[];
  start(cleanup: Cleanup): Promise<Field>;
}

/** Every kind, by the name that `--store` takes. */
export const stores = {
  redis: {
    title: 'one Redis',
    needs: [findRedisServer, tryDisk],
    start: startRedisField,
  },
  postgres: {
    title: 'one PostgreSQL',
    needs: [findPostgres, tryDisk],
    start: startPostgresField,
  },
  sentinel: {
    title: 'a Redis master and its replica, watched by Sentinel, --wait-replicas 1',
    needs: [findRedisServer],
    start: startSentinelField,
  },
  cluster: {
    title: 'a Redis Cluster of three masters with a replica each, --wait-replicas 1',
    needs: [findRedisServer],
    start: startClusterField,
  },
  pgbouncer: {
    title: 'a PostgreSQL behind PgBouncer in transaction mode',
    needs: [findPostgres, findPgbouncer],
    start: startPgbouncerField,
  },
  standby: {
    title: 'a PostgreSQL with one synchronous standby',
    needs: [findPostgres],
    start: startStandbyField,
  },
} as const satisfies Readonly<Record<string, ChaosStore>>;

/** The name of a kind. */
export type StoreName = keyof typeof stores;

/** All of them, in the order in which they are played. */
export const storeNames = Object.keys(stores) as StoreName[];

/** @throws what says which program to install, or what else is missing. */
export async function checkNeeds(name: StoreName): Promise<void> {
  for (const need of stores[name].needs) await need();
}

async function tryDisk(): Promise<void> {
  const disk = await mountDisk();
  await disk.remove();
}
