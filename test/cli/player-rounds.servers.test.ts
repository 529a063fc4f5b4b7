import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { createRedisStore } from '../../lib/operator/stores/redis';
import type { AccountStore } from '../../lib/operator/wallet';
import { end, openingOf } from '../../lib/proof/contracts/changes';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { patience } from '../support/patience';
import { runCli, runProcess } from './cli';

const operatorId = 'casino';
let redis: RedisServer;
let store: AccountStore;

beforeAll(async () => {
  redis = await startRedis();
  store = createRedisStore({ url: redis.url, init: true, history: true, ...patience });
  await store.ready();
});

afterAll(async () => {
  await store.close();
  await redis.stop();
});

/** Commits a round as an hour of 2026-01-01 opened it. */
async function put(
  playerId: string,
  gameRound: string,
  { hour = 0, state = 'closed', gameCode = 'bells', won = 0n } = {},
): Promise<void> {
  const at = Date.UTC(2026, 0, 1, hour);
  const { record } = end('e');
  const records = [{ record: { ...record, record: { ...record.record, at } } }];
  const after = { state: state as 'open', gameCode, credits: { real: won, bonus: 0n } };
  const change = openingOf(records, after);
  const done = await store.rounds.commit({ operatorId, playerId, gameRound }, change);
  expect(done.kind).toBe('committed');
}

function listOf(player: string): string[] {
  return ['player', 'rounds', player, '--store', redis.url, '--operator', operatorId];
}

test('rounds are listed by time, game, state and what they gave', async () => {
  const ann = { operatorId, playerId: 'ann', currency: 'EUR' };
  await store.players.openPlayer({ ...ann, balances: { real: '1' } });
  for (let hour = 0; hour < 48; hour++) {
    const state = hour % 10 === 0 ? 'open' : 'closed';
    const gameCode = hour % 4 === 0 ? 'book' : 'bells';
    await put('ann', `r${hour}`, { hour, state, gameCode, won: BigInt(hour) * 10_000n });
  }
  const namesOf = async (...flags: string[]) => {
    const { stdout, stderr, code } = await runCli([...listOf('ann'), '--json', ...flags]);
    expect([code, stderr]).toEqual([0, '']);
    const { rounds } = JSON.parse(stdout) as { rounds: { gameRound: string }[] };
    return rounds.map(({ gameRound }) => gameRound);
  };
  expect(await namesOf('--from', '2026-01-01T21:00Z', '--to', '2026-01-01')).toEqual([
    'r23',
    'r22',
    'r21',
  ]);
  expect(await namesOf('--from', '2026-01-02', '--state', 'open')).toEqual(['r40', 'r30']);
  const inMalta = ['--zone', 'Europe/Malta', '--to', '2026-01-01', '--state', 'open'];
  expect(await namesOf('--from', '2026-01-01T20:00Z', ...inMalta)).toEqual(['r20']);
  const inManila = ['--zone', 'Asia/Manila', '--from', '2026-01-02', '--to', '2026-01-02'];
  expect(await namesOf(...inManila, '--game', 'book')).toEqual([
    'r36',
    'r32',
    'r28',
    'r24',
    'r20',
    'r16',
  ]);
  expect(await namesOf('--game', 'book', '--min', '43.9')).toEqual(['r44']);
  const none = await runCli([...listOf('ann'), '--min', '48']);
  expect(none).toEqual({
    code: 0,
    stdout: 'No rounds of player ann of operator casino that these filters ask for.\n',
    stderr: '',
  });
  const { stdout } = await runCli([...listOf('ann'), '--game', 'book', '--limit', '2']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => line.split(/ {2,}/).at(-1))).toEqual([
    'gameRound',
    'r44',
    'r40',
    expect.stringMatching(/^More with --before \S+ and the same filters$/),
  ]);
});

test.each([
  [['--from', '2026-01-02', '--to', '2026-01-01'], '--from must be before --to'],
  [['--min', '1.00001'], '--min must be a decimal such as 10.50, with at most 4 decimals'],
  [['--to', 'noon'], '--to must be a day such as 2026-11-24'],
  [['--state', 'paid'], "option '--state <state>' argument 'paid' is invalid"],
  [['--csv', '--json'], "option '--csv' cannot be used with option '--json'"],
  [['--jsonl', '--limit', '5'], "option '--jsonl' cannot be used with option '--limit <n>'"],
])('the flags %j are refused, by name', async (flags, message) => {
  const { code, stdout, stderr } = await runCli([...listOf('ann'), ...flags]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});

test('a page that ends because enough was read says so, and with which flag it continues', async () => {
  await put('bob', 'oldest', { state: 'open' });
  for (let made = 0; made < 2000; made += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, at) => put('bob', `r${made + at}`)));
  }
  const list = [...listOf('bob'), '--state', 'open'];
  const first = await runCli(list);
  expect(first.stdout).toMatch(
    /^None found so far: one request reads a limited number of rounds\. Continue with --before \S+ and the same filters\n$/,
  );
  const cursor = /--before (\S+)/.exec(first.stdout)?.[1] ?? '';
  const second = await runCli([...list, '--before', cursor]);
  expect(second.stdout).toMatch(/^opened \(UTC\) .*\n.* open .* oldest\n$/);
  expect(await runCli([...listOf('bob'), '--before', cursor])).toMatchObject({
    code: 2,
    stderr:
      'error: cursor must be the `next` that this store gave for this player and the same filters\n',
  });
  const csv = await runProcess([...list, '--csv']);
  expect(csv).toMatchObject({ code: 0, stderr: '' });
  expect(csv.stdout).toMatch(
    /^\ufeffopenedAt,.*\r\n2026-01-01T00:00:00\.000Z,.*,oldest,bells,open,.*\r\nend,1,complete\r\n$/,
  );
  const all = await runProcess([...listOf('bob'), '--jsonl']);
  expect(all.stdout.match(/\n/g)).toHaveLength(2002);
  expect(all.stdout).toMatch(/\n\{"end":\{"rows":2001,"complete":true\}\}\n$/);
});

test('an export of a player who is unknown is empty and whole, and says that nobody has the name', async () => {
  const { code, stdout, stderr } = await runCli([...listOf('nobody'), '--csv']);
  expect([code, stderr]).toEqual([0, 'Operator casino has no player nobody in this store.\n']);
  expect(stdout).toMatch(/\r\nend,0,complete\r\n$/);
});
