import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { Keys } from '../../../../lib/operator/stores/redis/codec/keys';
import type { Cleanup } from '../../../servers/cleanup';
import { startReplicatedCluster } from '../../../servers/redis/replicated-cluster';
import { startRedisSentinel } from '../../../servers/redis/sentinel';
import { patience } from '../../../support/patience';
import { operatorId } from '../applications';
import { clusterFaults } from '../faults/cluster';
import { cutClients, redisMemoryFaults } from '../faults/redis';
import { Present } from '../faults/present';
import { serverFaults } from '../faults/server';
import { sentinelFaults } from '../faults/sentinel';
import { sentinelLosses } from '../losses/redis';
import { decimals, type Field } from './field';

const confirmed = ['--wait-replicas', '1'];

/** A master and its replica, which confirms each write, watched by Sentinel. */
export async function startSentinelField(cleanup: Cleanup): Promise<Field> {
  const sentinel = cleanup.after(await startRedisSentinel());
  const hosts = sentinel.sentinels.map(({ host, port }) => `${host}:${port}`).join(',');
  const url = `redis+sentinel://${hosts}/${sentinel.name}`;
  const server = new Present(
    () => sentinel.master(),
    () => sentinel.heal(),
  );
  return {
    storeFlags: ['--store', url, ...confirmed],
    address: url,
    server,
    faults: {
      ...serverFaults('server', server),
      ...sentinelFaults(sentinel),
      ...redisMemoryFaults(() => sentinel.master()),
      'connections-cut': () => cutClients(sentinel.servers),
    },
    losses: sentinelLosses(sentinel),
    openStore: () => createRedisStore({ ...patience, url, decimals, init: true }),
  };
}

/** Three masters with a replica each, which confirms each write. */
export async function startClusterField(cleanup: Cleanup): Promise<Field> {
  const cluster = cleanup.after(await startReplicatedCluster());
  const hosts = cluster.servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const url = `redis+cluster://${hosts}`;
  const slotOf = (playerId: string): Promise<number> =>
    cluster.slotOf(new Keys('rgs').account({ operatorId, playerId }));
  const master = async () => cluster.masterOf(await slotOf('player 1'));
  const server = new Present(master, () => cluster.whenWhole());
  return {
    storeFlags: ['--store', url, ...confirmed],
    address: url,
    server,
    faults: {
      ...serverFaults('server', server),
      ...clusterFaults(cluster, slotOf),
      ...redisMemoryFaults(master),
      'connections-cut': () => cutClients(cluster.servers),
    },
    openStore: () => createRedisStore({ ...patience, url, decimals, init: true }),
  };
}
