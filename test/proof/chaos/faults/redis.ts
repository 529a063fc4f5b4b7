import { setTimeout as delay } from 'node:timers/promises';

import type { Redis } from 'ioredis';

import type { BoundedDisk } from '../../../servers/bounded-disk';
import { withRedis } from '../../../servers/redis/client';
import type { RedisServer } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import type { Faults } from './fault';

/** A Redis that dies because its append-only file cannot grow, and is started again once there is room. */
export function redisDiskFaults(server: RedisServer, disk: BoundedDisk): Faults {
  return {
    async 'disk-full'({ ms }) {
      await disk.fill();
      await until('Redis to end: its disk is full', () => !server.isRunning());
      await delay(ms);
      await disk.free();
      await server.restart();
    },
  };
}

/** A Redis that may take no more memory, and evicts nothing. `present` is the one that takes writes now. */
export function redisMemoryFaults(present: () => Promise<RedisServer>): Faults {
  return {
    async 'memory-full'({ ms }) {
      const server = await present();
      await withRedis(server, async (admin) => {
        const before = await refusedWrites(admin);
        await admin.config('SET', 'maxmemory', '1');
        await until('a write to be refused', async () => (await refusedWrites(admin)) > before);
        await delay(ms);
        await admin.config('SET', 'maxmemory', '0');
      });
    },
  };
}

/** Ends every connection of a client to these servers. */
export async function cutClients(servers: readonly RedisServer[]): Promise<void> {
  for (const server of servers) {
    await withRedis(server, (admin) => admin.call('CLIENT', 'KILL', 'TYPE', 'normal'));
  }
}

async function refusedWrites(admin: Redis): Promise<number> {
  const info = await admin.info('errorstats');
  return Number(/errorstat_OOM:count=(\d+)/.exec(info)?.[1] ?? 0);
}
