import { setTimeout as delay } from 'node:timers/promises';

import type { MortalServer } from '../../../rgs/load/scene';
import type { Faults } from './fault';

/** A server that can die, or stand still. */
export interface ChaosServer extends MortalServer {
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** A server that dies or stands still, and comes back as what it was. */
export function serverFaults(name: string, server: ChaosServer): Faults {
  return {
    async [`${name}-killed`]({ ms }) {
      await server.kill9();
      await delay(ms);
      await server.restart();
    },
    async [`${name}-stands-still`]({ ms }) {
      await server.pause();
      await delay(ms);
      await server.resume();
    },
  };
}
