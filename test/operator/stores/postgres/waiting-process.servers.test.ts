import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';

import { built } from '../../../support/built';

test('a process that asks for nothing else waits for the outcome of an order, also where PostgreSQL refuses connections', () => {
  const script = `
    import postgres from ${JSON.stringify(built('operator/stores/postgres/index.js'))};
    const url = 'postgres://user:word@127.0.0.1:1/none'; // nobody listens there
    const store = postgres.createPostgresStore({ url, commandTimeoutMs: 300 });
    const player = { operatorId: 'acme', playerId: 'player', currency: 'EUR' };
    const order = { ...player, amount: { units: 1n }, balance: 'real', reference: 'once' };
    const { kind } = await store.players.deposit(order);
    process.stdout.write(kind);`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { encoding: 'utf8', timeout: 60_000 },
  );
  expect({ stdout, stderr, status }).toEqual({ stdout: 'unknown', stderr: '', status: 0 });
});
