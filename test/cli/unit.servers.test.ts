import { join } from 'node:path';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { startPostgres } from '../servers/postgres/server';
import { withRedis } from '../servers/redis/client';
import { startRedis } from '../servers/redis/server';
import { temporaryFolder } from '../servers/reaper';
import { until } from '../servers/until';
import { cleanupAfterEach, serverOfFile } from '../support/each-test';
import {
  type CliResult,
  debitCall,
  OPERATOR,
  OPERATOR_ID,
  runCli,
  startService,
  temporaryFile,
} from './cli';
import { startSandbox } from './sandbox-rig';

const cleanup = cleanupAfterEach();
const redis = serverOfFile(startRedis);
const postgres = serverOfFile(startPostgres);
const cents = ['--unit', '1/100'] as const;
const ann = { playerId: 'ann', currency: 'EUR' };
let players: string;

beforeAll(async () => {
  players = await temporaryFile('players.json', [{ ...ann, balances: { real: '1000' } }]);
});

function run(args: readonly string[], more: object = {}): Promise<CliResult> {
  return runCli(args, { env: { ...OPERATOR, ...more } });
}

/** The flags of a new place for a store. */
const places: Readonly<Record<string, () => Promise<string[]>>> = {
  Redis: async () => {
    await withRedis(redis(), (admin) => admin.flushall());
    return ['--store', redis().url];
  },
  PostgreSQL: async () => {
    const place = ['--store', await postgres().createDatabase()];
    expect((await run(['migrate', ...place])).code).toBe(0);
    return place;
  },
};

/** A service with events whose calls count 1/100; it has taken a stake of 100. */
async function serveCents(place: readonly string[], more: readonly string[] = []) {
  const flags = ['--events', 'bridge', '--history', '--players', players, '--init', ...more];
  const service = cleanup.after(await startService([...place, ...flags, ...cents], OPERATOR));
  const answer = await service.call(debitCall('ann', 'r-1', { amount: 100 }));
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"amount":99900,')]);
  return service;
}

describe.each(Object.keys(places))('a store of 1/100 in %s', (name) => {
  test('is read as such by every command; a flag that contradicts is refused in one line, and changes nothing', async () => {
    const place = await (places[name] as () => Promise<string[]>)();
    await serveCents(place);
    const key = join(await temporaryFolder('unit'), 'archive.key');
    await run(['archive', 'key', 'new', '--out', key, '--origin', 'casino.example/x']);
    const folder = join(await temporaryFolder('unit'), 'archive');
    const of = ['--player', 'ann'];
    const commands: readonly (readonly [string[], RegExp | null])[] = [
      [['archive', 'run', '--to', folder, '--key', key, '--consumer', 'bridge', '--once'], null],
      [['archive', 'compare', folder], null],
      [['player', 'show', ...of], /999\.00 EUR/],
      [['player', 'cash', ...of], /1,000\.00 EUR/],
      [['player', 'rounds', 'ann'], /1\.00/],
      [
        ['player', 'deposit', ...of, '--currency', 'EUR', '--amount', '1', '--reference', 'x'],
        null,
      ],
      [['player', 'limits', ...of], null],
      [['rounds', 'attention', '--open-hours', '0'], /1\.00 EUR/],
      [['rounds', 'show', ...of, '--round', 'r-1'], /1\.00/],
      [['rounds', 'repairs'], null],
      [['books', '--check'], /1,000\.00/],
      [['events', 'lag'], null],
      [['events', 'tail', '--consumer', 'bridge', '--once'], null],
    ];
    for (const [[group = '', command = '', ...words], text] of commands) {
      const args = [group, command, ...words, ...place];
      const refused = await run([...args, '--unit', '1']);
      expect(refused).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(
          /^error: [^\n]+ has decimals 4 in 1\/100; this store is set to 4\.[^\n]*\n$/,
        ),
      });
      const done = await run(args);
      expect([args, done.code, done.stderr]).toEqual([args, 0, '']);
      if (text !== null) expect(done.stdout).toMatch(text);
    }
    for (const command of ['serve', 'demo']) {
      const port = command === 'serve' ? ['--port', '0'] : [];
      const refused = await run([command, ...port, ...place, '--unit', '1']);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toMatch(/decimals 4 in 1\/100; this store is set to 4\./);
    }
    const adopted = cleanup.after(await startService([...place, '--events', 'bridge'], OPERATOR));
    const answer = await adopted.call(debitCall('ann', 'r-1', { amount: 100 }));
    expect(answer.text).toContain('"amount":100000,'); // known, and 1.00 was deposited since
  });

  test('is not made with fewer than two decimals, nor with a unit that is none', async () => {
    const place = await (places[name] as () => Promise<string[]>)();
    for (const flags of [
      [...cents, '--decimals', '1'],
      ['--unit', '100'],
      ['--unit', ''],
      ['--unit', '1/100 '],
    ]) {
      const refused = await run(['serve', '--port', '0', '--init', ...place, ...flags]);
      expect([flags, refused]).toEqual([
        flags,
        { code: 2, stdout: '', stderr: expect.stringMatching(/^error: [^\n]*\n$/) },
      ]);
    }
  });
});

test('init makes a store of 1/100, changes nothing of one, and refuses one of another unit', async () => {
  const place = await (places['Redis'] as () => Promise<string[]>)();
  expect(await run(['init', ...place, ...cents, '--decimals', '1'])).toMatchObject({ code: 2 });
  expect((await run(['init', ...place, ...cents])).stdout).toBe('Store created.\n');
  expect((await run(['init', ...place])).stdout).toBe('Nothing to do: the store exists.\n');
  const other = await run(['init', ...place, '--unit', '1']);
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toContain('has decimals 4 in 1/100; this store is set to 4.');
  for (const decimals of ['2', '4']) {
    const { code } = await run(['init', ...place, ...cents, '--decimals', decimals]);
    expect([decimals, code]).toEqual([decimals, decimals === '4' ? 0 : 2]);
  }
  const demo = await run(['demo', ...place]);
  expect([demo.code, demo.stderr]).toEqual([0, '']);
  expect(demo.stdout).toMatch(/debit 100\.00[^]*The three books agree\.\n$/);
});

test('migrate notes the unit and the decimals that it is given, and without flags neither; other ones than noted are refused, and nothing changes', async () => {
  const place = ['--store', await postgres().createDatabase()];
  const migrate = (...flags: string[]) => run(['migrate', ...place, ...flags]);
  expect(await migrate(...cents, '--decimals', '1')).toEqual({
    code: 2,
    stdout: '',
    stderr: "error: --unit: unit '1/100' needs decimals of at least 2\n",
  });
  expect((await migrate()).stdout).toMatch(/^applied 001/);
  const done = { code: 0, stdout: expect.stringMatching(/^Nothing to do/), stderr: '' };
  expect(await migrate(...cents)).toEqual(done);
  for (const flags of [[], cents, ['--decimals', '4'], [...cents, '--decimals', '4']]) {
    expect([flags, await migrate(...flags)]).toEqual([flags, done]);
  }
  for (const flags of [
    ['--unit', '1'],
    ['--decimals', '2'],
    [...cents, '--decimals', '2'],
  ]) {
    const { code, stdout, stderr } = await migrate(...flags);
    expect([flags, code, stdout]).toEqual([flags, 2, '']);
    expect(stderr).toContain(' has decimals 4 in 1/100; this store is set to ');
  }
  const service = cleanup.after(await startService([...place, '--players', players], OPERATOR));
  const answer = await service.call(debitCall('ann', 'r-1', { amount: 100 }));
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"amount":99900,')]);

  const other = ['--store', await postgres().createDatabase()];
  expect((await run(['migrate', ...other, '--decimals', '2'])).code).toBe(0);
  expect((await run(['migrate', ...other, ...cents])).stderr).toContain(
    ' has decimals 2; this store is set to 4 in 1/100.',
  );
});

test('the sandbox plays against a wallet of 1/100: its books agree, and the wallet shows the same money', async () => {
  const place = await (places['Redis'] as () => Promise<string[]>)();
  const admin = ['--admin-port', '0', '--admin-open'];
  const flags = ['--events', 'nightly', '--history', '--players', players, '--init'];
  const service = cleanup.after(
    await startService([...place, ...flags, ...cents, ...admin], OPERATOR),
  );
  const inCents = await temporaryFile('players.json', [{ ...ann, balances: { real: '100000' } }]);
  const sandbox = await startSandbox(
    ['--wallet', service.url, '--players', inCents, '--seed', '7'],
    OPERATOR,
  );
  cleanup.after(sandbox, (one) => one.end());
  const played = (await sandbox.post('play', { name: 'spin' })) as {
    isOk: boolean;
    lines: string[];
  };
  expect([played.isOk, played.lines]).toEqual([true, expect.anything()]);

  expect((await run(['player', 'show', '--player', 'ann', ...place])).stdout).toContain(
    '1,001.50 EUR',
  );
  expect((await run(['books', '--check', ...place])).stdout).toContain('1,001.50');
  const { adminPort } = await service.line('operations page listening');
  const page = (path: string) =>
    fetch(`http://127.0.0.1:${String(adminPort)}/${path}`).then((reply) => reply.text());
  const shown = await until('the page of the player', () =>
    page(`player?player=ann&operator=${OPERATOR_ID}`),
  );
  expect(shown).toContain('1,001.50');
  expect(await page('system')).toContain('1/100');

  const tail = await run(['events', 'tail', '--consumer', 'nightly', '--once', ...place]);
  const lines = tail.stdout.trim().split('\n');
  const event = lines.map((line) => JSON.parse(line) as { at: string; gameRound?: string }).at(-1);
  const day = (event?.at ?? '').slice(0, 10);
  const around = (days: number) => {
    const at = new Date(Date.parse(day) + days * 86_400_000).toISOString();
    return JSON.stringify({
      type: 'cash',
      id: `at ${at}`,
      operatorId: OPERATOR_ID,
      playerId: 'eve',
      at,
    });
  };
  const events = await temporaryFile('events.jsonl', [around(-1), ...lines, around(3)].join('\n'));
  const reconcile = (...more: string[]) =>
    run(
      ['reconcile', '--events', events, '--no-own-check', '--from', day, '--zone', 'UTC', ...more],
      {
        RGS_URL: `${sandbox.url}/operator`,
      },
    );
  const equal = await reconcile('--by', 'start', ...cents);
  expect([equal.code, equal.stdout, equal.stderr]).toEqual([
    0,
    expect.stringMatching(/^Equal: 1 /m),
    '',
  ]);
  expect((await reconcile('--by', 'start')).code).toBe(1);

  const rows = `round,currency,bet,win\n${String(event?.gameRound)},EUR,100,250\n`;
  const map = { round: 'round', currency: 'currency', bet: 'bet', win: 'win' };
  const files = ['--export', await temporaryFile('rounds.csv', rows)];
  files.push('--map', await temporaryFile('map.json', map));
  expect((await reconcile(...files, ...cents)).code).toBe(0);
  expect((await reconcile(...files)).code).toBe(1);
});
