import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { afterAll, expect, test } from '@jest/globals';

import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { FullStore } from '../../../../lib/operator/wallet';
import { Cleanup } from '../../../servers/cleanup';
import { startPostgres } from '../../../servers/postgres/server';
import { reapWithThisProcess } from '../../../servers/reaper';
import { startRedis } from '../../../servers/redis/server';
import type { Played, ToWorker } from './worker';

const root = join(__dirname, '../../../..');
const cleanup = new Cleanup();

afterAll(() => cleanup.run());

const processes = 8;
/** LIMIT_DEBITS plays another number of debits. */
const debits = Number(process.env['LIMIT_DEBITS'] ?? 40_000);
const players = Math.max(40, Math.ceil(debits / 100));
const limit = 400n;

async function startWorker(url: string): Promise<ChildProcess> {
  const child = fork(join(__dirname, 'worker.ts'), [], {
    cwd: root,
    execArgv: ['--require', join(root, 'bench/register.cjs')],
    env: { ...process.env, STORE_URL: url },
  });
  reapWithThisProcess(child);
  cleanup.after(child, () => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

function say(child: ChildProcess, message: ToWorker): void {
  child.send(message);
}

/** Blocks every second player while the workers play, one after the other, and tells the workers once it is acknowledged. */
async function block(store: FullStore, ids: readonly string[], workers: readonly ChildProcess[]) {
  for (const playerId of ids.filter((_, at) => at % 2 === 0)) {
    const key = { operatorId: 'casino', playerId };
    expect(await store.players.setBlocked(key, true)).toEqual({ kind: 'done' });
    for (const worker of workers) say(worker, { kind: 'blocked', playerId });
  }
}

async function made(name: 'Redis' | 'PostgreSQL'): Promise<{ store: FullStore; url: string }> {
  const shared = { acceptMixed: true, init: true, commandTimeoutMs: 60_000 };
  if (name === 'Redis') {
    const { url } = cleanup.after(await startRedis(), (server) => server.stop());
    return { url, store: createRedisStore({ ...shared, url }) };
  }
  const server = cleanup.after(await startPostgres(), (one) => one.stop());
  const url = await server.createDatabase();
  return { url, store: createPostgresStore({ ...shared, url, lockTimeoutMs: 60_000 }) };
}

test.each(['Redis', 'PostgreSQL'] as const)(
  'in %s eight processes take nothing against an acknowledged block, and no limit is exceeded by a unit',
  async (name) => {
    const { store, url } = await made(name);
    cleanup.after(store, (one) => one.close());
    await store.ready();
    const ids = Array.from({ length: players }, (_, at) => `player-${at}`);
    for (const playerId of ids) {
      const key = { operatorId: 'casino', playerId };
      await store.players.openPlayer({ ...key, currency: 'EUR', balances: { real: '1000' } });
      const order = { kind: 'stake', currency: 'EUR', window: 'month', amount: { units: limit } };
      expect(await store.players.setLimit(key, order as never)).toEqual({ kind: 'done' });
    }
    const workers = await Promise.all(Array.from({ length: processes }, () => startWorker(url)));
    const each = Math.ceil(debits / processes);
    const answers = workers.map((worker) => once(worker, 'message') as Promise<[Played]>);
    for (const worker of workers) say(worker, { kind: 'play', players: ids, debits: each });
    await block(store, ids, workers);
    const played = (await Promise.all(answers)).map(([one]) => one);
    const sum = (read: (one: Played) => number): number =>
      played.reduce((all, one) => all + read(one), 0);
    for (const playerId of ids) {
      const staked = sum((one) => one.staked[playerId] ?? 0);
      const read = await store.players.limits({ operatorId: 'casino', playerId });
      expect(read).toMatchObject({ limits: [{ used: BigInt(staked) }] });
      expect(staked).toBeLessThanOrEqual(Number(limit));
    }
    const [sent, accepted] = [sum((one) => one.debits), sum((one) => one.accepted)];
    process.stdout.write(`${name}: ${sent} debits of ${players} players, ${accepted} accepted\n`);
    expect(sum((one) => one.afterBlock)).toBe(0);
    expect(sum((one) => one.refusedOthers)).toBe(0);
    expect(accepted).toBeGreaterThan(0);
    for (const worker of workers) worker.disconnect();
  },
);
