import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';

import { startTotals } from '../../lib/operator/reconciliation/totals';
import { createRedisStore } from '../../lib/operator/stores/redis';
import type { StoreOptions } from '../../lib/operator/stores/store-options';
import { doTransactions, type FullStore } from '../../lib/operator/wallet';
import { freshDelivery } from '../../lib/proof/subject/runner';
import { credit, debit } from '../../lib/proof/contracts/repairs/round-play';
import { SpanClock } from '../operator/reconciliation/totals/random-play';
import { Cleanup } from '../servers/cleanup';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import { patience } from '../support/patience';
import { useRgs } from './call-rig';
import {
  type CliResult,
  debitCall,
  OPERATOR,
  OPERATOR_ID,
  runCli,
  signer,
  startService,
  temporaryFile,
} from './cli';

const rgs = useRgs();
const cleanup = new Cleanup();
const operatorId = OPERATOR_ID;
const player = { operatorId, playerId: 'ann' };
let redis: RedisServer;

beforeAll(async () => {
  redis = await startRedis();
});

beforeEach(() => {
  rgs().replies.getStats = stats(1, '0.001', '0.0025');
});

afterEach(() => cleanup.run());

afterAll(() => redis.stop());

function stats(games: number, bet: string, win: string): string {
  const record = { DAY: '2026-03-02', currency: 'EUR', games, player: 1, bet, win };
  const more = { betInEuro: '0', winInEuro: '0', RTP: 0 };
  return JSON.stringify({ records: [{ ...record, ...more }] });
}

/** A store with one round of 2026-03-02, counted since the day before. */
async function counted(
  namespace: string,
  events = ['totals'],
  more: StoreOptions = {},
): Promise<void> {
  const clock = new SpanClock(Date.parse('2026-03-01T12:00:00Z'));
  const place = { url: redis.url, namespace, init: true } as const;
  const options = { ...patience, ...place, clock, events, ...more };
  const store = cleanup.after(createRedisStore(options), (one) => one.close());
  await store.ready();
  const keeper = events.includes('totals')
    ? cleanup.after(startTotals({ store, operatorIds: [operatorId], clock }), (one) => one.stop())
    : null;
  await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '1' } });
  clock.goOn(24 * 3_600_000);
  await playRound(store, clock);
  await until('it is counted', async () =>
    (await store.events.lag(operatorId)).every((one) => keeper === null || one.waiting === 0),
  );
}

async function playRound(store: FullStore, clock: SpanClock): Promise<void> {
  const round = { ...player, gameRound: 'r-1' };
  const transactions = [
    debit('d', 10n, true),
    credit('c', 25n),
    { type: 'end' as const, hash: 'e' },
  ];
  const ports = {
    rounds: store.rounds,
    clock,
    policy: { useBonusFirst: false, creditTo: 'real' } as const,
    deadlineMs: 60_000,
  };
  await doTransactions(
    round,
    { ...round, gameCode: 'bells', transactions },
    freshDelivery(),
    ports,
  );
}

function reconcile(namespace: string, ...more: readonly string[]): Promise<CliResult> {
  const args = ['--totals', '--store', redis.url, '--namespace', namespace, '--from', '2026-03-02'];
  return runCli(['reconcile', ...args, '--zone', 'UTC', '--by', 'end', ...more], {
    env: { ...OPERATOR, RGS_URL: rgs().url },
  });
}

test('the sums of a day come from the totals of the store, without its events', async () => {
  await counted('equal');
  const equal = await reconcile('equal');
  expect([equal.code, equal.stderr]).toEqual([0, '']);
  expect(equal.stdout).toMatch(/^Days compared: 1, counted in UTC, by end/);
  rgs().replies.getStats = stats(1, '0.001', '0.0026');
  const different = await reconcile('equal');
  expect(different.code).toBe(1);
  expect(different.stdout).toContain('2026-03-02');
});

test('with --totals and --events the sums are those of the totals, and the events name the rounds', async () => {
  await counted('both');
  const event = { type: 'cash', id: 'x', operatorId, playerId: 'eve', at: '2026-03-01T12:00:00Z' };
  const file = await temporaryFile('events.jsonl', JSON.stringify(event));
  const { code, stderr } = await reconcile('both', '--events', file);
  expect([code, stderr]).toEqual([0, '']);
});

test('amounts of the store with fewer decimals than --decimals are equal still', async () => {
  await counted('decimals');
  expect((await reconcile('decimals', '--decimals', '6')).code).toBe(0);
  const fewer = await reconcile('decimals', '--decimals', '2');
  expect([fewer.code, fewer.stderr]).toEqual([
    2,
    'error: --decimals must be at least 4: the store keeps as many.\n',
  ]);
});

test('statistics that count 1/100 are compared as such; with the unit of another store nothing is (P19)', async () => {
  await counted('cents', ['totals'], { unit: '1/100' });
  rgs().replies.getStats = stats(1, '0.1', '0.25');
  expect(await reconcile('cents', '--unit', '1/100')).toMatchObject({ code: 0, stderr: '' });
  await counted('whole');
  for (const wrong of [reconcile('cents'), reconcile('whole', '--unit', '1/100')]) {
    const { code, stdout, stderr } = await wrong;
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^error: [^\n]*--unit/)]);
  }
});

test('a day that began before the totals is not complete, and never equal', async () => {
  await counted('early');
  const early = await reconcile('early', '--from', '2026-03-01', '--to', '2026-03-01');
  expect(early.code).toBe(2);
  expect(early.stdout).toContain('not complete: 2026-03-01: the events begin at 2026-03-01T12:00');
});

test('a store without totals is named as such', async () => {
  await counted('without', ['other']);
  const { code, stderr } = await reconcile('without');
  expect([code, stderr]).toEqual([
    2,
    `error: Cannot compare: the store keeps no totals of ${operatorId}: start the wallet with serve --totals.\n`,
  ]);
});

test('serve --totals counts every round once, in whichever process, also if one is killed', async () => {
  const ann = [{ playerId: 'ann', currency: 'EUR', balances: { real: '1000' } }];
  const players = await temporaryFile('players.json', ann);
  const place = ['--store', redis.url, '--namespace', 'served', '--init', '--players', players];
  const start = () => startService([...place, '--totals', '--events', 'other']);
  const [first, second] = [await start(), await start()];
  cleanup.after(second, (one) => one.stop());
  for (let at = 0; at < 20; at++) {
    const service = at < 10 ? first : second;
    expect((await service.call(debitCall('ann', `r-${at}`))).status).toBe(200);
    if (at === 9) first.signal('SIGKILL');
  }
  await first.exit;
  const options = { ...patience, url: redis.url, namespace: 'served', serves: false } as const;
  const store = cleanup.after(createRedisStore(options), (one) => one.close());
  await until('all is counted', async () => {
    const lags = await store.events.lag(operatorId);
    return lags.find(({ consumer }) => consumer === 'totals')?.waiting === 0;
  });
  const today = Math.floor(Date.now() / 900_000);
  const { rows, gaps } = await store.totals.read(operatorId, today - 96, today + 96);
  const sumOf = (name: 'games' | 'bet' | 'cashIn'): bigint =>
    rows.reduce((sum, { sums }) => sum + (sums[name] ?? 0n), 0n);
  expect([sumOf('games'), sumOf('bet'), sumOf('cashIn'), gaps]).toEqual([
    20n,
    20n * 10n * 10_000n,
    1000n * 10_000n,
    [],
  ]);
});

test('serve --notable-from lists large wins of all players, and --round-lookup finds a round by its id alone', async () => {
  const ann = [{ playerId: 'ann', currency: 'EUR', balances: { real: '1000' } }];
  const players = await temporaryFile('players.json', ann);
  const place = ['--store', redis.url, '--namespace', 'notable', '--init', '--players', players];
  const notes = ['--totals', '--notable-from', 'EUR=7,SEK=0.5', '--round-lookup'];
  const admin = ['--admin-port', '0', '--admin-open'];
  const service = await startService([...place, ...notes, ...admin]);
  cleanup.after(service, (one) => one.stop());
  for (const [gameRound, amount] of [
    ['small', 6],
    ['large', 7],
  ] as const) {
    const win = { type: 'credit', hash: `win of ${gameRound}`, amount, currency: 'EUR' } as const;
    const bet = { type: 'debit', hash: gameRound, amount: 1, currency: 'EUR' } as const;
    const transactions = [{ ...bet, isFirstDebit: true }, win];
    const call = { playerId: 'ann', gameCode: 'bells', gameRound, transactionCount: 2 };
    expect((await service.call(signer.doTransactions({ ...call, transactions }))).status).toBe(200);
  }
  const { adminPort } = await service.line('operations page listening');
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${String(adminPort)}/${path}`)).json();
  await until('it is counted', async () => {
    const { notable } = (await ask('history.json?kind=won')) as { notable: { rounds: object[] } };
    if (notable.rounds.length === 0) return false;
    const won = { gameRound: 'large', playerId: 'ann' };
    expect(notable.rounds).toEqual([expect.objectContaining(won)]);
    return true;
  });
  expect(await ask('search.json?q=small')).toMatchObject({
    gameRound: 'small',
    playerId: 'ann',
  });
  const wrong = await runCli(['serve', ...place, '--totals', '--notable-from', 'EUR'], {
    env: OPERATOR,
  });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('EUR=1000,SEK=10000')]);
  const alone = await runCli(['serve', ...place, '--round-lookup'], { env: OPERATOR });
  expect([alone.code, alone.stderr]).toEqual([
    2,
    'error: --notable-from and --round-lookup need --totals\n',
  ]);
});
