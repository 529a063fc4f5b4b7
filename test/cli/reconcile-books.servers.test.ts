import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';

import { createRedisStore } from '../../lib/operator/stores/redis';
import { doTransactions, type FullStore } from '../../lib/operator/wallet';
import { debit } from '../../lib/proof/contracts/repairs/round-play';
import { freshDelivery } from '../../lib/proof/subject/runner';
import { SpanClock } from '../operator/reconciliation/totals/random-play';
import { Cleanup } from '../servers/cleanup';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { patience } from '../support/patience';
import { OPERATOR, OPERATOR_ID, runCli, temporaryFile } from './cli';

const cleanup = new Cleanup();
const operatorId = OPERATOR_ID;
const hourMs = 3_600_000;
let redis: RedisServer;

beforeAll(async () => {
  redis = await startRedis();
});

afterEach(() => cleanup.run());

afterAll(() => redis.stop());

/** Two players, of whom ann plays two rounds on 2026-03-02; the events until two days later. */
async function played(namespace: string): Promise<string[]> {
  const clock = new SpanClock(Date.parse('2026-03-01T12:00:00Z'));
  const own = { init: true, events: ['nightly'], history: true, clock, namespace } as const;
  const store = createRedisStore({ ...patience, url: redis.url, ...own });
  cleanup.after(store, (one) => one.close());
  await store.ready();
  for (const playerId of ['ann', 'bob']) {
    const balances = { real: '1' };
    await store.players.openPlayer({ operatorId, playerId, currency: 'EUR', balances });
  }
  clock.goOn(24 * hourMs);
  await playRound(store, clock, 'r-1');
  await playRound(store, clock, 'r-2');
  clock.goOn(48 * hourMs);
  const cash = { operatorId, currency: 'EUR', amount: '1', reference: 'c' } as const;
  await store.players.deposit({ ...cash, playerId: 'bob' });
  for await (const { events } of store.events.read({ consumer: 'nightly', operatorId })) {
    return events.map((event) => JSON.stringify(event));
  }
  throw new Error('no events');
}

async function playRound(store: FullStore, clock: SpanClock, gameRound: string): Promise<void> {
  const round = { operatorId, playerId: 'ann', gameRound };
  const transactions = [
    debit(gameRound, 10n, true),
    { type: 'end' as const, hash: `${gameRound}-e` },
  ];
  const call = { ...round, gameCode: 'bells', transactions };
  const policy = { useBonusFirst: false, creditTo: 'real' } as const;
  const ports = { rounds: store.rounds, clock, policy, deadlineMs: 60_000 };
  await doTransactions(round, call, freshDelivery(), ports);
}

async function reconcile(
  namespace: string,
  lines: readonly string[],
  more: readonly string[] = [],
) {
  const file = await temporaryFile('events.jsonl', lines.join('\n'));
  const store = ['--events', file, '--store', redis.url, '--namespace', namespace];
  const args = [...store, '--from', '2026-03-02', '--zone', 'UTC', '--by', 'end', ...more];
  // Nobody listens there: to ask would fail with exit code 2.
  return runCli(['reconcile', ...args], { env: { ...OPERATOR, RGS_URL: 'http://127.0.0.1:9' } });
}

test('with --store, an event that was lost is found in the books before the RGS is asked: exit code 1, player and round', async () => {
  const lines = await played('lost');
  const at = lines.findIndex((line) => line.includes('"gameRound":"r-2"'));
  const less = lines.toSpliced(at, 1);
  const { code, stdout, stderr } = await reconcile('lost', less);
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toBe(
    'own check: player ann round r-2: EUR: the events lack debit r-2 of 2026-03-02T12:00:00.000Z, by which the store moved -0.001\n' +
      "Not compared: the store's books contradict the events, so the RGS was not asked.\n",
  );
  const json = await reconcile('lost', less, ['--json']);
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
    1,
    { verdict: 'contradictory', own: [{ player: 'ann', round: 'r-2' }] },
  ]);
  const unchecked = await reconcile('lost', less, ['--no-own-check']);
  expect([unchecked.code, unchecked.stderr]).toMatchObject([2, expect.stringMatching(/was asked/)]);
});

test('with --store, books that are as the events say let the RGS be asked; a store that is not there does not', async () => {
  const lines = await played('whole');
  const whole = await reconcile('whole', lines);
  expect([whole.code, whole.stdout]).toEqual([2, '']);
  expect(whole.stderr).toMatch(/The RGS was asked/);
  const other = await reconcile('nowhere', lines);
  expect([other.code, other.stdout]).toEqual([2, '']);
  expect(other.stderr).toMatch(/^error: The store .* cannot be used/);
});
