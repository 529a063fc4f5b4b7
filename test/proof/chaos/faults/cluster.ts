import { setTimeout as delay } from 'node:timers/promises';

import { withRedis } from '../../../servers/redis/client';
import type { ReplicatedCluster } from '../../../servers/redis/replicated-cluster';
import type { RedisServer } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import type { Chance, Faults } from './fault';

/** As many as play. */
const players = 8;
const movesAtOnce = 3;

/** Slots that move, failovers, and what goes wrong with a replica. */
export function clusterFaults(
  cluster: ReplicatedCluster,
  slotOf: (playerId: string) => Promise<number>,
): Faults {
  const drawSlot = ({ random }: Chance): Promise<number> =>
    slotOf(`player ${Math.floor(random() * players)}`);
  const draw = async (chance: Chance): Promise<[RedisServer, RedisServer]> => {
    await cluster.whenWhole();
    const master = await cluster.masterOf(await drawSlot(chance));
    return [master, await cluster.replicaOf(master)];
  };
  return {
    async 'slot-moves'(chance) {
      for (let move = 0; move < movesAtOnce; move += 1) {
        await cluster.moveSlot(await drawSlot(chance));
      }
    },
    async failover(chance) {
      const [master, replica] = await draw(chance);
      await master.kill9();
      await promoted(replica);
      await delay(chance.ms); // nobody confirms a write
      await master.restart();
      await cluster.whenWhole();
    },
    async 'failover-of-a-paused-master'(chance) {
      const [master, replica] = await draw(chance);
      await master.pause();
      await promoted(replica);
      await delay(chance.ms);
      await master.resume(); // and takes itself for the master still
      await cluster.whenWhole();
    },
    async 'failover-by-hand'(chance) {
      const [, replica] = await draw(chance);
      await withRedis(replica, (admin) => admin.call('CLUSTER', 'FAILOVER'));
      await promoted(replica);
      await cluster.whenWhole();
    },
    async 'replica-killed'(chance) {
      const [, replica] = await draw(chance);
      await replica.kill9();
      await delay(chance.ms);
      await replica.restart();
      await cluster.whenWhole();
    },
    async 'replica-stands-still'(chance) {
      const [, replica] = await draw(chance);
      await replica.pause();
      await delay(chance.ms);
      await replica.resume();
      await cluster.whenWhole();
    },
  };
}

async function promoted(replica: RedisServer): Promise<void> {
  await until('the replica to be promoted', async () => {
    const info = await withRedis(replica, (admin) => admin.info('replication'));
    return info.includes('role:master');
  });
}
