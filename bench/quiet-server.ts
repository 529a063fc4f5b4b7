import { startPostgres } from '../test/servers/postgres/server';
import { startRedis } from '../test/servers/redis/server';
import type { Contestant } from './contestants/contestant';

// What a server does by itself, and when it likes, would fall into the turn of one contestant and not of the next.
/** Keeps Redis from writing its log anew: the child's work and the pages that are copied would count as that of calls. */
export const noRewrite = { 'auto-aof-rewrite-percentage': 0 };
const noVacuum = { autovacuum: 'off' };

/** Starts a server that does nothing by itself while others are measured. */
export function startQuietServer(kind: Contestant['server']) {
  return kind === 'redis'
    ? startRedis({ config: noRewrite })
    : startPostgres({ settings: noVacuum });
}
