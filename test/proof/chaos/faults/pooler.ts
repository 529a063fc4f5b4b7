import { setTimeout as delay } from 'node:timers/promises';

import type { Pgbouncer } from '../../../servers/postgres/pgbouncer';
import type { Faults } from './fault';
import { serverFaults } from './server';

/** What goes wrong with a PgBouncer. */
export function poolerFaults(pooler: Pgbouncer): Faults {
  return {
    ...serverFaults('pooler', pooler),
    async 'pooler-restarted'({ ms }) {
      await pooler.shutDown();
      await delay(ms);
      await pooler.restart();
    },
  };
}
