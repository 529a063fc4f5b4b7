import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';

import { readSavedDay } from '../../lib/operator/reconciliation/saved/day';
import { createRedisStore } from '../../lib/operator/stores/redis';
import { doTransactions, type FullStore } from '../../lib/operator/wallet';
import { debit } from '../../lib/proof/contracts/repairs/round-play';
import { freshDelivery } from '../../lib/proof/subject/runner';
import { SpanClock } from '../operator/reconciliation/totals/random-play';
import { Cleanup } from '../servers/cleanup';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { patience } from '../support/patience';
import { useRgs } from './call-rig';
import { type CliResult, OPERATOR, OPERATOR_ID, runCli, startService, temporaryFile } from './cli';

const rgs = useRgs();
const cleanup = new Cleanup();
const operatorId = OPERATOR_ID;
const dayMs = 86_400_000;
/** A day that is over, of the real calendar: results of other years are not kept. */
const noon = Math.floor(Date.now() / dayMs) * dayMs - 5.5 * dayMs;
const day = new Date(noon).toISOString().slice(0, 10);
let redis: RedisServer;
let store: FullStore;
/** The events of one round of that day, and of the void of another, from the day before until two days later. */
let lines: string[];

beforeAll(async () => {
  redis = await startRedis();
  const clock = new SpanClock(noon - dayMs);
  const options = { ...patience, url: redis.url, init: true, events: ['nightly'], clock } as const;
  store = createRedisStore(options);
  await store.ready();
  const player = { operatorId, playerId: 'ann' };
  await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '1' } });
  clock.goOn(dayMs);
  const round = { ...player, gameRound: 'r-1' };
  const transactions = [debit('d', 10n, true), { type: 'end' as const, hash: 'e' }];
  const policy = { useBonusFirst: false, creditTo: 'real' } as const;
  const ports = { rounds: store.rounds, clock, policy, deadlineMs: 60_000 };
  await doTransactions(
    round,
    { ...round, gameCode: 'bells', transactions },
    freshDelivery(),
    ports,
  );
  const lost = { ...player, gameRound: 'lost' };
  const call = {
    ...lost,
    gameCode: 'bells',
    transactions: [{ type: 'void' as const, hash: 'lost', amount: null, currency: null }],
  };
  await doTransactions(lost, call, freshDelivery(), ports);
  clock.goOn(2 * dayMs);
  await store.players.deposit({ ...player, currency: 'EUR', amount: '1', reference: 'c' });
  for await (const { events } of store.events.read({ consumer: 'nightly', operatorId })) {
    lines = events.map((event) => JSON.stringify(event));
    break;
  }
});

beforeEach(() => {
  rgs().replies.getStats = stats('0.001');
});

afterEach(() => cleanup.run());

afterAll(async () => {
  await store.close();
  await redis.stop();
});

function stats(bet: string): string {
  const record = { DAY: day, currency: 'EUR', games: 1, player: 1, bet, win: '0' };
  const more = { betInEuro: '0', winInEuro: '0', RTP: 0 };
  return JSON.stringify({ records: [{ ...record, ...more }] });
}

async function save(
  more: readonly string[] = [],
  events = lines,
  variables: Readonly<Record<string, string>> = OPERATOR,
): Promise<CliResult> {
  const file = await temporaryFile('events.jsonl', events.join('\n'));
  const args = ['--events', file, '--from', day, '--zone', 'UTC', '--by', 'end', '--save'];
  const env = { ...variables, RGS_URL: rgs().url };
  return runCli(['reconcile', ...args, ...more], { env });
}

async function kept() {
  const entries = await store.reconciliations.list(operatorId, { days: 400 });
  return entries.map(({ text, ...entry }) => ({ ...entry, ...readSavedDay(text) }));
}

const place = (): string[] => ['--store', redis.url];

test('what was found of a day is kept, in place of what an earlier run found; the exit code is that of the comparison', async () => {
  const before = Date.now();
  const equal = await save(place());
  expect([equal.code, equal.stderr]).toEqual([0, '']);
  expect(equal.stdout).toMatch(/^Equal: 1 compared\.\nSaved: 1 day\.$/m);
  const found = { day, source: 'statistics', word: 'equal', kinds: {} };
  expect(await kept()).toMatchObject([{ ...found, cells: [{ currency: 'EUR', word: 'equal' }] }]);
  expect((await kept())[0]?.at).toBeGreaterThanOrEqual(before);
  rgs().replies.getStats = stats('0.0015');
  const different = await save([...place(), '--json']);
  expect([different.code, JSON.parse(different.stdout)]).toMatchObject([
    1,
    { verdict: 'different' },
  ]);
  const stated = { games: 1, bet: '0.0015', win: '0' };
  const cells = [{ currency: 'EUR', word: 'differs', games: 0, bet: '-0.0005', win: '0', stated }];
  expect(await kept()).toMatchObject([
    { day, word: 'differs', cells, kinds: { 'sums differ': 1 } },
  ]);
});

test('rounds attention lists a void without a debit that was found, and the reconciliation page has it (D10.4)', async () => {
  expect((await save(place())).code).toBe(0);
  const at = new Date(noon).toISOString();
  expect(await kept()).toContainEqual(
    expect.objectContaining({ day, voids: [{ round: 'lost', player: 'ann', hash: 'lost', at }] }),
  );
  const attention = ['rounds', 'attention', ...place(), '--operator', operatorId];
  const text = await runCli(attention);
  expect(text.stdout).toMatch(/^Voids without a debit, found by reconcile --save; .*:$/m);
  const shown = at.slice(0, 19).replace('T', ' ');
  expect(text.stdout).toMatch(new RegExp(`^${shown} .* lost +ann +lost *$`, 'm'));
  const json = (await runCli([...attention, '--json'])).stdout.trim().split('\n');
  expect(json.map((line) => JSON.parse(line) as object)).toContainEqual({
    kind: 'voidWithoutDebit',
    operatorId,
    playerId: 'ann',
    gameRound: 'lost',
    hash: 'lost',
    at,
  });
});

test('what was compared in another unit than that of the store is not kept (P19)', async () => {
  rgs().replies.getStats = stats('0.1');
  const before = await kept();
  const { code, stderr } = await save([...place(), '--unit', '1/100']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: [^\n]*--unit/)]);
  expect(await kept()).toEqual(before);
});

test('an export is kept beside the statistics, with its rounds by name', async () => {
  const map = { round: 'round', currency: 'currency', bet: 'bet', win: 'win' };
  const files = [
    await temporaryFile('rounds.csv', 'round,currency,bet,win\nr-1,EUR,0.002,0\n'),
    await temporaryFile('map.json', map),
  ];
  const [rows = '', names = ''] = files;
  const { code } = await save([...place(), '--export', rows, '--map', names]);
  expect(code).toBe(1);
  const [entry, other] = await kept();
  expect([entry?.source, other?.source]).toEqual(['export', 'statistics']);
  expect(entry).toMatchObject({
    word: 'differs',
    rounds: [{ round: 'r-1', player: 'ann', kind: 'bet differs', ours: { bet: '0.001' } }],
  });
});

test('events that contradict each other leave the day unknown: the day is not equal any more', async () => {
  expect((await save(place())).code).toBe(0);
  const at = lines.findIndex((line) => line.includes('"gameRound":"r-1"'));
  const { code, stdout } = await save(place(), lines.toSpliced(at, 1));
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Not compared: .*\nSaved: 1 day\.$/m);
  expect(await kept()).toContainEqual(
    expect.objectContaining({
      day,
      source: 'statistics',
      word: 'unknown',
      kinds: { 'own check': 1 },
    }),
  );
});

test('serve shows what was saved by another process: as metrics, and on the operations page', async () => {
  rgs().replies.getStats = stats('0.0015');
  expect((await save(place())).code).toBe(1);
  const args = [...place(), '--events', 'nightly', '--admin-port', '0', '--admin-open'];
  const service = cleanup.after(await startService(args), (one) => one.stop());
  const { adminPort } = await service.line('operations page listening');
  const ask = async (path: string): Promise<string> => {
    const reply = await fetch(`http://127.0.0.1:${String(adminPort)}/${path}`);
    return reply.text();
  };
  const metrics = await ask('metrics');
  const labels = `operator="${operatorId}",kind="sums differ"`;
  expect(metrics).toContain(`rgs_wallet_reconciliation_differences{${labels}} 1\n`);
  expect(metrics).toMatch(/^rgs_wallet_reconciliation_age_seconds\{operator="casino"\} \d+/m);
  const { days } = JSON.parse(await ask('reconciliation.json')) as { days: readonly object[] };
  expect(days).toContainEqual(
    expect.objectContaining({ day, source: 'statistics', word: 'differs' }),
  );
  expect(await ask('reconciliation')).toContain('Reconciliation');
});

test('without a store that is kept nothing is compared', async () => {
  const { OPERATOR_SECRET } = OPERATOR;
  const none = await save([], lines, { OPERATOR_ID, OPERATOR_SECRET });
  expect([none.code, none.stdout, none.stderr]).toEqual([
    2,
    '',
    "error: --save needs the wallet's store: name it with --store or WALLET_STORE.\n",
  ]);
  expect((await save(['--store', 'memory:'])).code).toBe(2);
  expect(rgs().requests).toEqual([]);
});

test('a store that cannot be reached: exit code 2, and the comparison is printed', async () => {
  const { code, stdout, stderr } = await save([
    '--no-own-check',
    '--csv',
    '--store',
    'redis://127.0.0.1:9',
  ]);
  // Without the own check the store is not needed before.
  expect(code).toBe(2);
  expect(stdout).toMatch(/^day,game,currency,kind/);
  expect(stderr).toMatch(
    /^error: The comparison is done, but its result was not saved: .*127\.0\.0\.1:9/,
  );
  expect(stderr.split('\n')).toHaveLength(2);
});
