import { withRedis } from './client';
import type { RedisCluster } from './cluster';
import { type RedisServer, startRedis } from './server';
import { until } from '../until';

/**
 * Starts a replica of a cluster's master, and resolves once it is in step and every master knows it: before that, nobody
 * would vote for it.
 */
export async function startClusterReplica(
  { nodes }: Pick<RedisCluster, 'nodes'>,
  master: RedisServer,
): Promise<RedisServer> {
  const replica = await startRedis({
    config: {
      'cluster-enabled': 'yes',
      'cluster-config-file': 'nodes.conf',
      'cluster-node-timeout': 2_000,
    },
  });
  try {
    await follow(master, replica);
    for (const node of nodes) {
      await until('the replica to be known', () => isKnownTo(node, replica));
    }
    return replica;
  } catch (error) {
    await replica.stop();
    throw error;
  }
}

async function follow(master: RedisServer, replica: RedisServer): Promise<void> {
  const masterId = await withRedis(master, async (admin) => {
    const [port, busPort] = [String(replica.port), String(replica.busPort)];
    await admin.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
    return String(await admin.call('CLUSTER', 'MYID'));
  });
  await withRedis(replica, async (admin) => {
    await until('the replica to meet its master', async () => {
      return (await admin.call('CLUSTER', 'REPLICATE', masterId)) === 'OK';
    });
    await until('the replica to be in step', async () => {
      const info = await admin.info('replication');
      return info.includes('role:slave') && info.includes('master_link_status:up');
    });
  });
}

async function isKnownTo(node: RedisServer, replica: RedisServer): Promise<boolean> {
  const list = await withRedis(node, (admin) => admin.call('CLUSTER', 'NODES'));
  return String(list)
    .split('\n')
    .some((line) => line.includes(`:${replica.port}@`) && line.includes(' slave '));
}
