import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { afterAll, expect, test } from '@jest/globals';

import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { FullStore, LimitOrder } from '../../../../lib/operator/wallet';
import { type Clock, systemClock } from '../../../../lib/platform';
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
/** Half of the calls hold one debit, the others up to so many. */
const inCall = Number(process.env['LIMIT_IN_CALL'] ?? 20);
/** What a player may stake in a month, and on a day. */
const [limit, dayLimit] = [400n, 250n];
/** Calls that the parent has in flight. */
const atOnce = 16;

/** Half the processes are ten minutes late, and midnight comes to the others while they play, on a day that clocks change. */
const lateMs = 600_000;
const days = [
  { zone: 'Europe/Malta', midnight: Date.UTC(2026, 2, 28, 23) }, // the day that follows has 23 hours
  { zone: 'Europe/Malta', midnight: Date.UTC(2026, 9, 25, 23) }, // the day before it has 25 hours
] as const;

async function startWorker(url: string, aheadMs: number): Promise<ChildProcess> {
  const child = fork(join(__dirname, 'worker.ts'), [], {
    cwd: root,
    execArgv: ['--require', join(root, 'bench/register.cjs')],
    env: { ...process.env, STORE_URL: url, CLOCK_AHEAD_MS: String(aheadMs) },
  });
  reapWithThisProcess(child);
  cleanup.after(child, () => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

function say(child: ChildProcess, message: ToWorker): void {
  child.send(message);
}

/** Does it for each, some at once. */
async function forEach(
  ids: readonly string[],
  act: (playerId: string, at: number) => Promise<void>,
) {
  const left = ids.entries();
  const lane = async (): Promise<void> => {
    for (const [at, playerId] of left) await act(playerId, at);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** Sets a limit of stakes. */
async function setLimit(store: FullStore, playerId: string, more: Partial<LimitOrder>) {
  const order = { kind: 'stake', currency: 'EUR', window: 'month', amount: null, ...more } as const;
  const key = { operatorId: 'casino', playerId };
  expect(await store.players.setLimit(key, order)).toEqual({ kind: 'done' });
}

/**
 * Stops every second player while the workers play, one after the other: by a block, or by a limit of nothing. Tells the
 * workers once it is acknowledged.
 */
async function stop(store: FullStore, ids: readonly string[], workers: readonly ChildProcess[]) {
  for (const [at, playerId] of ids.entries()) {
    if (at % 2 === 1) continue;
    const key = { operatorId: 'casino', playerId };
    if (at % 4 === 2) await setLimit(store, playerId, { amount: { units: 0n } });
    else expect(await store.players.setBlocked(key, true)).toEqual({ kind: 'done' });
    for (const worker of workers) say(worker, { kind: 'stopped', playerId });
  }
}

async function made(name: 'Redis' | 'PostgreSQL', clock: Clock) {
  const shared = { acceptMixed: true, init: true, clock, commandTimeoutMs: 60_000 };
  if (name === 'Redis') {
    const { url } = cleanup.after(await startRedis(), (server) => server.stop());
    return { url, store: createRedisStore({ ...shared, url }) };
  }
  const server = cleanup.after(await startPostgres(), (one) => one.stop());
  const url = await server.createDatabase();
  return { url, store: createPostgresStore({ ...shared, url, lockTimeoutMs: 60_000 }) };
}

test.each([
  ['Redis', days[0]],
  ['PostgreSQL', days[1]],
] as const)(
  'in %s eight processes take nothing from a stopped player, and no limit is exceeded by a unit',
  async (name, { zone, midnight }) => {
    const openedAt = midnight - 3_600_000;
    const clock: Clock = { ...systemClock, now: () => openedAt };
    const { store, url } = await made(name, clock);
    cleanup.after(store, (one) => one.close());
    await store.ready();
    const ids = Array.from({ length: players }, (_, at) => `player-${at}`);
    await forEach(ids, async (playerId) => {
      const key = { operatorId: 'casino', playerId };
      await store.players.openPlayer({ ...key, currency: 'EUR', balances: { real: '1000' } });
      await setLimit(store, playerId, { zone, amount: { units: limit } });
      await setLimit(store, playerId, { zone, window: 'day', amount: { units: dayLimit } });
    });
    // Their midnight comes soon after they begin, and those that are late do not see it.
    const aheadMs = midnight - 2000 - systemClock.now();
    const workers = await Promise.all(
      Array.from({ length: processes }, (_, at) =>
        startWorker(url, at % 2 === 0 ? aheadMs : aheadMs - lateMs),
      ),
    );
    const each = Math.ceil(debits / processes);
    const answers = workers.map((worker) => once(worker, 'message') as Promise<[Played]>);
    for (const worker of workers) say(worker, { kind: 'play', players: ids, debits: each, inCall });
    await stop(store, ids, workers);
    const played = (await Promise.all(answers)).map(([one]) => one);
    const sum = (read: (one: Played) => number): number =>
      played.reduce((all, one) => all + read(one), 0);
    await forEach(ids, async (playerId) => {
      const staked = BigInt(sum((one) => one.staked[playerId] ?? 0));
      const read = await store.players.limits({ operatorId: 'casino', playerId });
      const [ofDay, ofMonth] = read.kind === 'known' ? read.limits : [];
      expect(ofMonth?.used).toBe(staked);
      expect(staked).toBeLessThanOrEqual(limit);
      expect(ofDay?.used).toBeLessThanOrEqual(dayLimit);
      expect(staked).toBeLessThanOrEqual(2n * dayLimit);
    });
    const [sent, accepted] = [sum((one) => one.debits), sum((one) => one.accepted)];
    process.stdout.write(`${name}: ${sent} debits of ${players} players, ${accepted} accepted\n`);
    expect(sum((one) => one.afterStop)).toBe(0);
    expect(sum((one) => one.refusedOthers)).toBe(0);
    expect(accepted).toBeGreaterThan(0);
    for (const worker of workers) worker.disconnect();
  },
);
