import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from '../../../servers/ports';
import { temporaryFolder } from '../../../servers/reaper';
import { withRedis } from '../../../servers/redis/client';
import { spawnRedis } from '../../../servers/redis/process';
import type { RedisServer } from '../../../servers/redis/server';
import type { RedisSentinel } from '../../../servers/redis/sentinel';
import { until } from '../../../servers/until';
import type { Losses } from './loss';

/** Older data put back under running wallets, as docs/operations/backup.md has it. */
export function redisRestores(server: RedisServer): Losses {
  const data = join(server.dir, 'appendonlydir');
  return {
    'older-append-only-folder': {
      async prepare() {
        const backup = join(await temporaryFolder('backup'), 'appendonlydir');
        await cp(data, backup, { recursive: true });
        return async () => {
          await server.kill9();
          await rm(data, { recursive: true });
          await cp(backup, data, { recursive: true });
          await server.restart();
        };
      },
    },
    'older-rdb': {
      async prepare() {
        const backup = join(await temporaryFolder('backup'), 'dump.rdb');
        await withRedis(server, (admin) => admin.save());
        await cp(join(server.dir, 'dump.rdb'), backup);
        return async () => {
          await server.kill9();
          await rm(data, { recursive: true });
          await cp(backup, join(server.dir, 'dump.rdb'));
          await makeAppendOnly(server.dir);
          await server.restart();
        };
      },
    },
  };
}

/** Has a server read dump.rdb and write the append-only folder that it lacks. */
async function makeAppendOnly(folder: string): Promise<void> {
  const port = await freePort();
  const started = ['redis.conf', '--appendonly', 'no', '--port', String(port)];
  const reader = await spawnRedis(started, folder, { port });
  await withRedis({ clientOptions: { host: '127.0.0.1', port } }, async (admin) => {
    await admin.config('SET', 'appendonly', 'yes');
    await until('the append-only folder', async () => {
      const info = await admin.info('persistence');
      return /aof_rewrite_in_progress:0\r\n/.test(info);
    });
  });
  await reader.kill('SIGKILL');
}

/** A master that has lost its replica takes calls that no replica confirms; then Sentinel promotes the replica. */
export function sentinelLosses(sentinel: RedisSentinel): Losses {
  return {
    'failover-that-loses': {
      storeFlags: ['--wait-replicas', '0'],
      async prepare() {
        await sentinel.heal();
        const [master, replica] = [await sentinel.master(), await sentinel.replica()];
        await replica.kill9();
        return async () => {
          await master.pause();
          await replica.restart();
          await sentinel.nextMaster(master.port);
          await master.resume(); // and takes itself for the master still
          await sentinel.heal();
        };
      },
    },
  };
}
