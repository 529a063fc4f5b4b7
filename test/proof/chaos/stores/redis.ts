import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { startTcpProxy } from '../../../network/tcp-proxy';
import { mountDisk } from '../../../servers/bounded-disk';
import type { Cleanup } from '../../../servers/cleanup';
import { startRedis } from '../../../servers/redis/server';
import { patience } from '../../../support/patience';
import { lineFaults } from '../faults/line';
import { redisDiskFaults, redisMemoryFaults } from '../faults/redis';
import { serverFaults } from '../faults/server';
import { redisRestores } from '../losses/redis';
import { decimals, type Field } from './field';

/** One Redis, on a disk of its own. */
export async function startRedisField(cleanup: Cleanup): Promise<Field> {
  const disk = cleanup.after(await mountDisk(), (mounted) => mounted.remove());
  const started = await startRedis({ below: disk.folder });
  const server = cleanup.after(started);
  const line = cleanup.after(await startTcpProxy(server.clientOptions));
  return {
    storeFlags: ['--store', `redis://127.0.0.1:${line.port}`],
    address: server.url,
    server,
    faults: {
      ...serverFaults('server', server),
      ...lineFaults(line),
      ...redisDiskFaults(server, disk),
      ...redisMemoryFaults(async () => server),
    },
    losses: redisRestores(server),
    openStore: () => createRedisStore({ ...patience, url: server.url, decimals, init: true }),
  };
}
