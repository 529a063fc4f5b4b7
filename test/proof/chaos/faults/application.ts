import { setTimeout as delay } from 'node:timers/promises';

import type { MortalServer } from '../../../rgs/load/scene';
import type { Applications } from '../applications';
import type { Chance, Faults } from './fault';

/** A request is timely within 300 s (D1.3): a clock that is off by less serves calls. */
const maxOffMs = 240_000;

/** What goes wrong with the processes of the wallet; `server` is what they keep the money in. */
export function applicationFaults(applications: Applications, server: MortalServer): Faults {
  return {
    async 'application-killed'() {
      await applications.kill();
      await applications.start();
    },
    async 'application-restarted'() {
      await applications.shutDown();
      await applications.start();
    },
    async 'server-and-application-killed'() {
      await Promise.all([server.kill9(), applications.kill()]);
      await server.restart();
      await applications.start();
    },
    ...clockFaults(applications),
  };
}

/** Wall clocks that leap while calls are in flight, and leap back. */
function clockFaults(applications: Applications): Faults {
  const moved = async (chance: Chance, signs: readonly number[]): Promise<void> => {
    const offMs = Math.floor((0.1 + 0.9 * chance.random()) * maxOffMs);
    await applications.moveClocks(signs.map((sign) => sign * offMs));
    await delay(chance.ms);
    await applications.moveClocks(signs.map(() => 0));
  };
  return {
    'clock-forward': (chance) => moved(chance, [1, 0]),
    'clock-back': (chance) => moved(chance, [0, -1]),
    'clocks-apart': (chance) => moved(chance, [-1, 1]),
  };
}
