import { setTimeout as delay } from 'node:timers/promises';

import type { TcpProxy } from '../../../network/tcp-proxy';
import type { ReplicatedPostgres } from '../../../servers/postgres/replicated';
import type { Faults } from './fault';
import { serverFaults } from './server';

/** What goes wrong with a standby, and failovers to it. */
export function standbyFaults(pair: ReplicatedPostgres, line: TcpProxy): Faults {
  const standby = {
    kill9: () => pair.standby.kill9(),
    restart: () => pair.standby.restart(),
    pause: () => pair.standby.pause(),
    resume: () => pair.standby.resume(),
  };
  /** The standby takes the place of a primary that is dead, and then has no standby for a while. */
  const promote = async (ms: number): Promise<void> => {
    await pair.promote();
    line.disconnectAll();
    await delay(ms);
    await pair.replaceStandby();
    await pair.inStep();
  };
  return {
    ...serverFaults('standby', standby),
    async failover({ ms }) {
      await pair.inStep();
      await pair.primary.kill9();
      await promote(ms);
    },
    async 'failover-of-a-standby-behind'({ ms }) {
      await pair.inStep();
      await pair.standby.pause();
      await delay(ms);
      await pair.primary.kill9(); // nothing that the standby lacks was acknowledged
      await pair.standby.resume();
      await promote(0);
    },
    async 'failover-after-a-restart'({ ms }) {
      await pair.inStep();
      await pair.standby.pause();
      await delay(ms);
      // What the standby lacks is there again, and was not acknowledged; nor may it be now.
      await pair.primary.kill9();
      await pair.primary.restart();
      await delay(2000 + ms); // calls are sent again meanwhile
      await pair.primary.kill9();
      await pair.standby.resume();
      await promote(0);
    },
  };
}
