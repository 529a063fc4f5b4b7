import { afterAll, expect, test } from '@jest/globals';
import express from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { createOperatorRouter } from '../../lib/operator/express/router';
import { createLedgerStore } from '../../lib/operator/ledger';
import { createPostgresStore } from '../../lib/operator/stores/postgres';
import { createRedisStore } from '../../lib/operator/stores/redis';
import type { AccountStore } from '../../lib/operator/wallet';
import { systemClock } from '../../lib/platform';
import { createMemoryLedger } from '../../lib/proof/contracts/ledger/in-memory';
import { Cleanup } from '../servers/cleanup';
import { startPostgres } from '../servers/postgres/server';
import { startRedis } from '../servers/redis/server';
import { patience } from '../support/patience';
import { OPERATOR, startService } from './cli';

/** Sets the wall clock of a process an hour back, before all else. */
const HOUR_BACK =
  '--import=data:text/javascript,const{now}=Date;Date.now=()=>now.call(Date)-3600000';
const cleanup = new Cleanup();
afterAll(() => cleanup.run());

const addresses: Readonly<Record<string, () => Promise<string>>> = {
  Redis: async () => cleanup.after(await startRedis()).url,
  PostgreSQL: async () => {
    const server = cleanup.after(await startPostgres());
    return server.createDatabase();
  },
};

async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
}

test.each(['Redis', 'PostgreSQL'])(
  'a wallet over %s whose clock is an hour off is not ready, in serve and behind a router (D1.3)',
  async (name) => {
    const url = (await addresses[name]?.()) ?? '';
    const where = ['--store', url, '--init'];
    const right = await startService(where);
    cleanup.after(right);
    expect(await statusOf(`${right.url}/readyz`)).toBe(200);
    const wrong = await startService(where, { ...OPERATOR, NODE_OPTIONS: HOUR_BACK });
    cleanup.after(wrong);
    const line = await wrong.line('not ready: the clocks of this process and the store differ');
    expect(Number(line['differenceMs'])).toBeLessThan(-3_000_000);
    expect(await statusOf(`${wrong.url}/readyz`)).toBe(503);
    expect(await statusOf(`${wrong.url}/healthz`)).toBe(200);

    const store: AccountStore =
      name === 'Redis'
        ? createRedisStore({ url, ...patience })
        : createPostgresStore({ url, ...patience });
    cleanup.after(store);
    const overLedger = createLedgerStore({ ledger: createMemoryLedger(), journal: store });
    const operators = [{ operatorId: 'casino', secrets: ['a-secret-of-16-bytes'] }];
    for (const [money, shiftMs, status] of [
      [store, 0, 200],
      [store, 3_600_000, 503],
      [overLedger, 0, 200],
      [overLedger, -3_600_000, 503],
    ] as const) {
      const clock = { ...systemClock, now: () => systemClock.now() + shiftMs };
      const wallet = createOperatorRouter({ store: money, operators, clock });
      cleanup.after(wallet);
      const app = express();
      app.get('/readyz', (_, response) => {
        wallet.ready().then(
          () => response.sendStatus(200),
          () => response.sendStatus(503),
        );
      });
      const server = app.listen(0, '127.0.0.1');
      cleanup.after(server, (one) => void one.close());
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      expect(await statusOf(`http://127.0.0.1:${port}/readyz`)).toBe(status);
    }
  },
);
