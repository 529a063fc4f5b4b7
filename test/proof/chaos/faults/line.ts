import { setTimeout as delay } from 'node:timers/promises';

import type { TcpProxy } from '../../../network/tcp-proxy';
import type { Faults } from './fault';

/** What goes wrong between the processes of the wallet and what they are connected to. */
export function lineFaults(line: TcpProxy): Faults {
  return {
    async 'connections-cut'() {
      line.disconnectAll();
    },
    async 'requests-slow'({ ms }) {
      const { release } = line.hold('requests');
      await delay(ms);
      release();
    },
    async 'replies-slow'({ ms }) {
      const { release } = line.hold('replies');
      await delay(ms);
      release();
    },
    async 'replies-lost'({ ms }) {
      line.blackhole();
      await delay(ms);
      await line.pass();
    },
    async 'server-out-of-reach'({ ms }) {
      await line.refuse();
      await delay(ms);
      await line.pass();
    },
  };
}
