import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { createPostgresStore } from '../../lib/operator/stores/postgres';
import { createRedisStore } from '../../lib/operator/stores/redis';
import type { FullStore } from '../../lib/operator/wallet';
import { startPostgres } from '../servers/postgres/server';
import { startRedis } from '../servers/redis/server';
import { Cleanup } from '../servers/cleanup';
import { patience } from '../support/patience';
import { blockOf } from '../docs/blocks';
import { type CliResult, OPERATOR, runCli } from './cli';

const names = ['Redis', 'PostgreSQL'] as const;
type Name = (typeof names)[number];

const cleanup = new Cleanup();
const addresses = new Map<Name, string>();
const stores = new Map<Name, FullStore>();
const ann = { operatorId: 'casino', playerId: 'ann' };

beforeAll(async () => {
  const redis = await startRedis();
  cleanup.after(redis);
  const postgres = await startPostgres();
  cleanup.after(postgres);
  addresses.set('Redis', redis.url).set('PostgreSQL', await postgres.createDatabase());
  const options = { init: true, ...patience };
  stores.set('Redis', createRedisStore({ url: redis.url, ...options }));
  const url = addresses.get('PostgreSQL') ?? '';
  stores.set('PostgreSQL', createPostgresStore({ url, ...options }));
  for (const store of stores.values()) {
    cleanup.after(store);
    await store.ready();
    await store.players.openPlayer({ ...ann, currency: 'EUR', balances: { real: '100' } });
  }
});

afterAll(() => cleanup.run());

function player(name: Name, command: string, ...args: string[]): Promise<CliResult> {
  const where = ['--store', addresses.get(name) ?? '', '--operator', 'casino', '--player', 'ann'];
  return runCli(['player', command, ...where, ...args]);
}

function storeOf(name: Name): FullStore {
  const store = stores.get(name);
  if (store === undefined) throw new Error(`no store in ${name}`);
  return store;
}

const deposits = ['--kind', 'deposit', '--currency', 'EUR', '--window', 'month'];
const maria = ['--by', 'maria', '--reason', 'asked for by chat'];

test('serve --limits-from is refused without what it needs, with the flag that is missing', async () => {
  const redis = addresses.get('Redis') ?? '';
  const days = ['--retention-days', '32'];
  for (const [flags, message] of [
    [['--store', 'memory:', '--limits-from', 'now'], 'Allowed choices are history'],
    [['--store', 'memory:', '--limits-from', 'history'], 'needs --retention-days of at least 32'],
    [['--store', redis, '--limits-from', 'history', ...days], 'needs the option history'],
  ] as const) {
    const { code, stderr } = await runCli(['serve', '--port', '0', ...flags], { env: OPERATOR });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
});

describe.each(names)('in %s', (name) => {
  test('a limit is set, counts, is listed, changed and lifted', async () => {
    const zone = ['--zone', 'Europe/Malta'];
    expect(await player(name, 'limits')).toMatchObject({
      code: 0,
      stdout: 'No limits of player ann of operator casino.\n',
    });
    expect(
      await player(name, 'limit', ...deposits, '--amount', '50.00', ...zone, ...maria),
    ).toEqual({ code: 0, stdout: 'Set: deposit per month, at most 50.00 EUR.\n', stderr: '' });
    const deposit = ['--currency', 'EUR', '--amount', '30', '--reference'];
    expect((await player(name, 'deposit', ...deposit, 'one')).code).toBe(0);
    expect(await player(name, 'deposit', ...deposit, 'two')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: Refused, nothing moved. The deposit would exceed a limit of the player.\n',
    });
    const listed = await player(name, 'limits');
    const [titles = '', row = '', change = ''] = listed.stdout.split('\n');
    expect(titles.split(/ {2,}/)).toEqual(
      'limit,per,currency,at most,used,remaining,resets at (UTC),counts'.split(','),
    );
    expect(row).toMatch(
      /^deposit {2}month {2}EUR {9}50\.00 {2}30\.00 {6}20\.00 {2}\d{4}-\d\d-\d\d 2[23]:00:00 {2}real, Europe\/Malta$/,
    );
    expect(change).toMatch(
      /^\d{4}-\S+Z {2}deposit per month, at most 50\.00 EUR {2}by maria: asked for by chat$/,
    );
    const json = JSON.parse((await player(name, 'limits', '--json')).stdout) as object;
    expect(json).toMatchObject({
      ...ann,
      limits: [{ kind: 'deposit', amount: '50', used: '30', remaining: '20', counts: 'real' }],
      changes: [{ kind: 'deposit', amount: '50', by: { id: 'maria' } }],
    });
    const other = [...deposits.slice(0, 4), '--window', 'day', '--amount', '5'];
    expect(await player(name, 'limit', ...other, '--zone', 'UTC')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: Refused, nothing changed\. .* have another zone/),
    });
    const usd = ['--kind', 'stake', '--currency', 'USD', '--window', 'day', '--amount', '5'];
    expect(await player(name, 'limit', ...usd)).toMatchObject({
      code: 1,
      stderr: 'error: Refused, nothing changed. The player has no account in this currency.\n',
    });
    expect(await player(name, 'limit', ...deposits, '--lift', '--json', ...maria)).toEqual({
      code: 0,
      stdout: '{"kind":"deposit","currency":"EUR","window":"month","amount":null}\n',
      stderr: '',
    });
    expect(await storeOf(name).players.limits(ann)).toMatchObject({
      limits: [],
      changes: [{ amount: null, by: { id: 'maria' } }, { amount: 500_000n }],
    });
  });

  test('a player is blocked until a time, which is printed back and shown', async () => {
    const time = '2126-12-24T19:00:00+01:00';
    const until = '2126-12-24T18:00:00.000Z';
    expect((await player(name, 'block', '--until', time, ...maria)).stdout).toBe(
      `Blocked until ${until}.\n`,
    );
    const shown = await player(name, 'show');
    expect(shown.stdout).toMatch(
      /^Player ann of casino, blocked until 2126-12-24T18:00:00\.000Z\n/,
    );
    expect(shown.stdout).toMatch(
      /\n\S+Z {2}blocked until 2126-\S+ {2}by maria: asked for by chat\n/,
    );
    expect(JSON.parse((await player(name, 'show', '--json')).stdout)).toMatchObject({
      blocked: true,
      blockedUntil: until,
      blocks: [{ blocked: true, until }],
    });
    const before = Date.now();
    const soon = await player(name, 'block', '--until', '24h', '--json');
    const told = JSON.parse(soon.stdout) as { blocked: boolean; until: string };
    const hours = (Date.parse(told.until) - before) / 3_600_000;
    expect([told.blocked, Math.round(hours), Date.parse(told.until) % 1000]).toEqual([true, 24, 0]);
    expect(await storeOf(name).players.readPlayer(ann)).toMatchObject({
      blocked: true,
      blockedUntil: Date.parse(told.until),
    });
    expect((await player(name, 'unblock')).stdout).toBe('Unblocked.\n');
    expect(await storeOf(name).players.readPlayer(ann)).toMatchObject({ blocked: false });
  });
});

const amount = ['--amount', '1'];

test.each<[string, string[], string]>([
  ['limit', [...deposits.slice(2), ...amount], '--kind is missing.'],
  ['limit', [...deposits.slice(0, 4), ...amount], '--window is missing.'],
  ['limit', deposits, '--amount is missing, or --lift.'],
  ['limit', [...deposits, ...amount, '--lift'], '--amount is not for --lift'],
  ['limit', [...deposits, '--lift', '--zone', 'UTC'], '--zone is not for --lift'],
  ['limit', [...deposits, '--amount', '1,00'], '--amount must be a decimal such as 10.50'],
  ['limit', [...deposits, ...amount, '--zone', 'Mars/Olympus'], 'zone must be a time zone'],
  ['limit', [...deposits, ...amount, '--counts', 'bonus'], 'Allowed choices are real, all'],
  ['limit', [...deposits, ...amount, '--kind', 'wins'], 'Allowed choices are stake, loss, deposit'],
  ['limit', [...deposits, ...amount, '--currency', 'eur'], 'currency must be three'],
  ['block', ['--until', 'tomorrow'], '--until must be a time with its zone'],
  ['block', ['--until', '2126-12-24T18:00:00'], '--until must be a time with its zone'],
  ['block', ['--until', '2126-02-30T18:00:00Z'], '--until must be a time with its zone'],
  ['block', ['--until', '-1h'], '--until must be a time with its zone'],
  ['block', ['--until', '0h'], '--until must lie ahead: it is 2'],
  ['block', ['--until', '2020-01-01T00:00:00Z'], '--until must lie ahead: it is 2'],
])('player %s %j is refused in one line: %s', async (command, args, message) => {
  const { code, stdout, stderr } = await player('PostgreSQL', command, ...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr.trim()).not.toContain('\n');
});

test('the commands of docs/limits.md do what they say', async () => {
  const lines = blockOf('docs/limits.md', 'limit-commands').code.trim().split('\n').slice(1);
  expect(lines).toHaveLength(4);
  const where = ['--store', addresses.get('Redis') ?? '', '--operator', 'casino'];
  for (const line of lines) {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word = '']) => quoted ?? word,
    );
    expect(await runCli([...words.slice(1), ...where])).toMatchObject({ code: 0, stderr: '' });
  }
});
