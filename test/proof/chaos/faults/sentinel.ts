import { setTimeout as delay } from 'node:timers/promises';

import type { RedisSentinel } from '../../../servers/redis/sentinel';
import type { Faults } from './fault';

/** Failovers that Sentinel makes, and what goes wrong with a replica. */
export function sentinelFaults(sentinel: RedisSentinel): Faults {
  return {
    async failover({ ms }) {
      await sentinel.heal();
      const master = await sentinel.master();
      await master.kill9();
      await sentinel.nextMaster(master.port);
      await delay(ms); // nobody confirms a write
      await master.restart();
      await sentinel.heal();
    },
    async 'failover-of-a-paused-master'({ ms }) {
      await sentinel.heal();
      const master = await sentinel.master();
      await master.pause();
      await sentinel.nextMaster(master.port);
      await delay(ms);
      await master.resume(); // and takes itself for the master still
      await sentinel.heal();
    },
    async 'replica-killed'({ ms }) {
      const replica = await sentinel.replica();
      await replica.kill9();
      await delay(ms);
      await replica.restart();
      await sentinel.heal();
    },
    async 'replica-stands-still'({ ms }) {
      const replica = await sentinel.replica();
      await replica.pause();
      await delay(ms);
      await replica.resume();
      await sentinel.heal();
    },
  };
}
