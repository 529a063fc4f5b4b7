import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { createPostgresStore } from '../../lib/operator/stores/postgres';
import { createRedisStore } from '../../lib/operator/stores/redis';
import type { AccountStore } from '../../lib/operator/wallet';
import { openingOf, take } from '../../lib/proof/contracts/changes';
import { credit, debit, RoundPlay, voidOf } from '../../lib/proof/contracts/repairs/round-play';
import { type PostgresServer, startPostgres } from '../servers/postgres/server';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { patience } from '../support/patience';
import { debitCall, OPERATOR_ID, runCli, startService, temporaryFile } from './cli';

let redis: RedisServer;
let postgres: PostgresServer;
let stores: Readonly<Record<string, readonly [address: string, store: AccountStore]>>;

beforeAll(async () => {
  redis = await startRedis();
  postgres = await startPostgres();
  const { url } = postgres;
  stores = {
    Redis: [
      redis.url,
      createRedisStore({ url: redis.url, init: true, history: true, ...patience }),
    ],
    PostgreSQL: [url, createPostgresStore({ url, init: true, history: true, ...patience })],
  };
  for (const [, store] of Object.values(stores)) await store.ready();
});

afterAll(async () => {
  for (const [, store] of Object.values(stores)) await store.close();
  await redis.stop();
  await postgres.stop();
});

function chosen(name: string): readonly [string, AccountStore] {
  const found = stores[name];
  if (found === undefined) throw new Error(`no store ${name}`);
  return found;
}

test.each(['Redis', 'PostgreSQL'])(
  "a player's rounds in %s are listed newest first, a page at a time",
  async (name) => {
    const [address, store] = chosen(name);
    const play = await RoundPlay.open({ store, players: store.players });
    const { operatorId, playerId, gameRound } = play.round;
    const where = ['--store', address, '--operator', operatorId];
    const list = ['player', 'rounds', playerId, ...where];
    const ofNobody = (whose: string) => `No rounds of player ${playerId} of operator ${whose}.\n`;
    expect(await runCli(list)).toEqual({ code: 0, stdout: ofNobody(operatorId), stderr: '' });
    expect(await runCli([...list, '--operator', 'cazino'])).toEqual({
      code: 0,
      stdout: ofNobody('cazino'),
      stderr: `Operator cazino has no player ${playerId} in this store.\n`,
    });
    expect(await runCli([...list, '--player', 'other'])).toMatchObject({
      code: 2,
      stderr: 'error: Two players: name one, as the argument or with --player.\n',
    });
    await play.call(debit('d', 10n, true), credit('c', 4n), { type: 'end', hash: 'e' });
    const later = { ...play.round, gameRound: 'later' };
    await store.rounds.commit(later, openingOf([take('d2', 20n)]));
    const { stdout } = await runCli([...list, '--limit', '1']);
    const [titles, first, more, ...others] = stdout.trimEnd().split('\n');
    expect(titles).toMatch(/^opened \(UTC\) +game +state +debits +credits +gameRound$/);
    expect(first).toMatch(/^\d{4}-\S+ \S+  game  open +0\.002 EUR +0\.00 EUR +later$/);
    expect([more?.startsWith('More with --before '), others]).toEqual([true, []]);
    const cursor = more?.split(' ').at(-1) ?? '';
    const older = [
      'player',
      'rounds',
      '--player',
      playerId,
      ...where,
      '--before',
      cursor,
      '--json',
    ];
    expect(JSON.parse((await runCli(older)).stdout)).toMatchObject({
      rounds: [{ gameRound, state: 'closed', debits: { real: '0.001' }, currency: 'EUR' }],
      next: null,
    });
    const other = ['player', 'rounds', 'bob', ...where, '--before', cursor];
    expect(await runCli(other)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error: cursor must be the `next` that this store gave for this player and the same filters\n',
    });
  },
);

test.each(['Redis', 'PostgreSQL'])(
  'a round in %s is shown by any of its hashes, with its timeline',
  async (name) => {
    const [address, store] = chosen(name);
    const play = await RoundPlay.stranded({ store, players: store.players });
    const { operatorId, playerId, gameRound } = play.round;
    await play.repaired({ kind: 'pay', hash: 'c' });
    const where = ['--store', address, '--operator', operatorId, '--player', playerId];
    const shown = await runCli(['rounds', 'show', ...where, '--hash', 'c']);
    expect(shown.stderr).toBe('');
    expect(shown.stdout).toContain(`gameRound       ${gameRound}\n`);
    expect(shown.stdout).toMatch(
      /\nmore +by +what|\ntime \(UTC\) +by +what +amount +outcome +moved +balance after +hash\n/,
    );
    expect(shown.stdout).toMatch(
      /\.\d{3} +RGS +first debit +0\.001 EUR +accepted +−0\.001 EUR +0\.009 EUR +d\n/,
    );
    expect(shown.stdout).toMatch(/ repair proposed pay +0\.0025 EUR/);
    expect(shown.stdout).toMatch(
      / repair made pay +0\.0025 EUR +done +0\.0025 EUR +0\.0115 EUR +c\n/,
    );
    const json = await runCli(['rounds', 'show', ...where, '--hash', 'd', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      gameRound,
      timeline: [{ by: null }, {}, {}, {}, {}],
    });
    expect(await runCli(['rounds', 'show', ...where, '--hash', 'none'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: No round of player ${playerId} of operator ${operatorId} has the hash: searched 1.\n`,
    });
  },
);

test('a round is named or found by a hash, and not both', async () => {
  const where = ['--store', redis.url, '--operator', 'op', '--player', 'ann'];
  for (const flags of [[], ['--round', 'r', '--hash', 'h']]) {
    expect(await runCli(['rounds', 'show', ...where, ...flags])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: Name the round with --round, or one of its hashes with --hash.\n',
    });
  }
});

test('where Redis keeps no history, the commands say so and how to keep one', async () => {
  const where = [
    '--store',
    redis.url,
    '--namespace',
    'plain',
    '--operator',
    'op',
    '--player',
    'ann',
  ];
  for (const command of [
    ['player', 'rounds', '--init'],
    ['rounds', 'show', '--hash', 'h'],
  ]) {
    const { code, stdout, stderr } = await runCli([...command, ...where]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^error: The store keeps no list of a player's rounds\. .*--history.*\n$/,
    );
  }
});

test('where no balances are kept, a round says so and how to keep them', async () => {
  const store = createPostgresStore({ url: postgres.url, ...patience });
  const play = await RoundPlay.stranded({ store, players: store.players });
  await store.close();
  const { operatorId, playerId, gameRound } = play.round;
  const names = ['--operator', operatorId, '--player', playerId, '--round', gameRound];
  const { stdout } = await runCli(['rounds', 'show', '--store', postgres.url, ...names]);
  expect(stdout).toMatch(/\nBalances after each line are not kept: .*--history.*\n/);
});

test('serve --history lists the rounds of its players, in PostgreSQL with their balances', async () => {
  const place = ['--store', redis.url, '--namespace', 'served', '--init'];
  const ann = [{ playerId: 'ann', currency: 'EUR', balances: { real: '100' } }];
  const players = await temporaryFile('players.json', ann);
  const service = await startService([...place, '--history', '--players', players]);
  try {
    expect((await service.call(debitCall('ann', 'first'))).status).toBe(200);
  } finally {
    await service.stop();
  }
  const where = [...place.slice(0, 4), '--operator', OPERATOR_ID];
  const listed = await runCli(['player', 'rounds', 'ann', ...where]);
  expect(listed.stdout).toMatch(/ open .* first\n$/);
  const inPostgres = ['--store', postgres.url];
  const other = await startService([...inPostgres, '--history', '--players', players]);
  try {
    expect((await other.call(debitCall('ann', 'second'))).status).toBe(200);
  } finally {
    await other.stop();
  }
  const names = ['--operator', OPERATOR_ID, '--player', 'ann', '--round', 'second'];
  const { stdout } = await runCli(['rounds', 'show', ...inPostgres, ...names]);
  expect(stdout).toMatch(/ accepted +−\S+ EUR +\S+ EUR +second\n/);
});

test.each(['Redis', 'PostgreSQL'])(
  'a repair of the command line keeps the history of the wallet in %s',
  async (name) => {
    const [address, store] = chosen(name);
    const play = await RoundPlay.stranded({ store, players: store.players });
    const { operatorId, playerId, gameRound } = play.round;
    const round = [
      '--store',
      address,
      '--operator',
      operatorId,
      '--player',
      playerId,
      '--round',
      gameRound,
    ];
    const why = ['--kind', 'void', '--reason', 'the RGS has lost the round, ticket 4712'];
    const proposed = await runCli([
      'rounds',
      'repair',
      'propose',
      ...round,
      ...why,
      '--by',
      'anna',
    ]);
    const id = proposed.stdout.split(/[ :]/)[1] ?? '';
    await runCli(['rounds', 'repair', 'approve', ...round, '--id', id, '--by', 'bert']);
    const shown = await runCli(['rounds', 'show', ...round]);
    expect(shown.stdout).toMatch(/ repair made void .* done +0\.001 EUR +0\.01 EUR +d\n/);
    await play.call(voidOf('d'));
    const listed = await runCli(['player', 'rounds', playerId, ...round.slice(0, 4)]);
    expect(listed.stdout).toMatch(new RegExp(`voided .* ${gameRound}\n`));
  },
);
