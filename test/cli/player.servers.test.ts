import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { userInfo } from 'node:os';

import { createRedisStore } from '../../lib/operator/stores/redis';
import { createPostgresStore } from '../../lib/operator/stores/postgres';
import type { AccountStore } from '../../lib/operator/wallet';
import { startTcpProxy } from '../network/tcp-proxy';
import { type PostgresServer, startPostgres } from '../servers/postgres/server';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { patience } from '../support/patience';
import { type CliResult, runCli } from './cli';

let redis: RedisServer;
let postgres: PostgresServer;
let stores: Readonly<Record<string, AccountStore>>;
let addresses: Readonly<Record<string, string>>;

beforeAll(async () => {
  redis = await startRedis();
  postgres = await startPostgres();
  addresses = { Redis: redis.url, PostgreSQL: await postgres.createDatabase() };
  stores = {
    Redis: createRedisStore({ url: redis.url, init: true, ...patience }),
    PostgreSQL: createPostgresStore({
      url: addresses['PostgreSQL'] ?? '',
      init: true,
      ...patience,
    }),
  };
  for (const store of Object.values(stores)) await store.ready();
});

afterAll(async () => {
  for (const store of Object.values(stores)) await store.close();
  await redis.stop();
  await postgres.stop();
});

function player(name: string, command: string, ...args: string[]): Promise<CliResult> {
  const where = ['--store', addresses[name] ?? '', '--operator', 'casino', '--player', 'ann'];
  return runCli(['player', command, ...where, ...args]);
}

/** What a command prints that is done. */
function done(stdout: string): CliResult {
  return { code: 0, stdout, stderr: '' };
}

const reason = 'The deposit psp-7781 was typed twice.';

test.each(['Redis', 'PostgreSQL'])(
  'a player in %s is opened, funded, corrected, blocked and shown',
  async (name) => {
    const eur = ['--currency', 'EUR'];
    expect(await player(name, 'show')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: Operator casino has no player ann in this store.\n',
    });
    expect(await player(name, 'open', ...eur, '--real', '10')).toEqual(
      done('Opened. Balance: 10.00 EUR\n'),
    );
    expect(await player(name, 'open', ...eur)).toEqual(
      done('Nothing to do: the account exists. Balance: 10.00 EUR\n'),
    );
    const deposit = [...eur, '--amount', '25.00', '--reference', 'psp-7781', '--by', 'maria'];
    expect(await player(name, 'deposit', ...deposit)).toEqual(done('Done. Balance: 35.00 EUR\n'));
    expect(await player(name, 'deposit', ...deposit)).toEqual(
      done('Done before, nothing moved again. Balance: 35.00 EUR\n'),
    );
    const bonus = [...eur, '--amount', '3', '--reference', 'gift', '--bonus'];
    expect(await player(name, 'deposit', ...bonus)).toEqual(
      done('Done. Balance: 35.00, bonus 3.00 EUR\n'),
    );
    const correction = [...eur, '--amount=-25', '--reference', 'ticket-1', '--reason', reason];
    expect(await player(name, 'correct', ...correction, '--by', 'maria')).toEqual(
      done('Done. Balance: 10.00, bonus 3.00 EUR\n'),
    );
    for (const amount of ['-1', '1e3', '', '0.00001', '007', '9'.repeat(20)]) {
      const wrong = await player(name, 'deposit', ...eur, `--amount=${amount}`, '--reference', 'w');
      expect(wrong).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'error: --amount must be a decimal such as 10.50, with at most 4 decimals, and at most 900719925474.0991\n',
      });
    }
    expect((await player(name, 'open', '--currency', 'USD', '--real', 'x')).stderr).toMatch(
      /^error: --real must be a decimal /,
    );
    const withdrawal = [...eur, '--amount', '10.01', '--reference', 'payout'];
    expect(await player(name, 'withdraw', ...withdrawal)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: Refused, nothing moved. The balance is too low.\n',
    });
    const act = ['--by', 'maria', '--reason', 'chargeback 4711'];
    expect(await player(name, 'block', ...act)).toEqual(done('Blocked.\n'));
    expect((await player(name, 'show')).stdout).toMatch(
      /^Player ann of casino, blocked\n {2}balance {5}bonus\n10\.00 EUR  3\.00 EUR\n\d{4}-\S+Z {2}blocked {2}by maria: chargeback 4711\n$/,
    );
    expect(await player(name, 'unblock')).toEqual(done('Unblocked.\n'));
    const shown = await player(name, 'show', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      operatorId: 'casino',
      playerId: 'ann',
      blocked: false,
      accounts: [{ currency: 'EUR', real: '10', bonus: '3' }],
      blocks: [
        { blocked: false, by: { id: userInfo().username }, reason: null },
        { blocked: true, by: { id: 'maria' }, reason: 'chargeback 4711' },
      ],
    });
    const newest = await player(name, 'cash', '--limit', '3', '--json');
    const page = JSON.parse(newest.stdout) as { movements: object[]; next: string };
    expect(page.movements).toMatchObject([
      { kind: 'correction', amount: '-25', reference: 'ticket-1', by: { id: 'maria' }, reason },
      { kind: 'deposit', amount: '3', balance: 'bonus', by: { id: userInfo().username } },
      { kind: 'deposit', amount: '25', reference: 'psp-7781', by: { id: 'maria' } },
    ]);
    const older = await player(name, 'cash', '--before', page.next);
    expect(older.stdout).toMatch(
      /^time \(UTC\) .*\n20\d\d-\d\d-\d\d \d\d:\d\d:\d\d  opening  10\.00 EUR  real +#opening EUR real +\S+\n$/,
    );
  },
);

test.each(['Redis', 'PostgreSQL'])(
  'what a person does to a player in %s is an event, where a consumer is declared',
  async (name) => {
    const url = addresses[name] ?? '';
    const options = { url, init: true, events: ['audit'], ...patience };
    const isRedis = name === 'Redis';
    const store = isRedis
      ? createRedisStore({ ...options, namespace: 'told' })
      : createPostgresStore({ ...options, schema: 'told' });
    try {
      await store.ready();
      const place = isRedis ? ['--namespace', 'told'] : ['--schema', 'told'];
      const eur = ['--currency', 'EUR', ...place];
      const deposit = ['--amount', '25', '--reference', 'psp-1', '--by', 'maria'];
      const correction = ['--amount=-5', '--reference', 'ticket-1', '--reason', reason];
      for (const [command, ...args] of [
        ['open', ...eur, '--real', '10'],
        ['deposit', ...eur, ...deposit],
        ['correct', ...eur, ...correction],
        ['block', ...place, '--reason', 'chargeback'],
      ] as const) {
        expect(await player(name, command, ...args)).toMatchObject({ code: 0, stderr: '' });
      }
      for await (const { events } of store.events.read({
        consumer: 'audit',
        operatorId: 'casino',
      })) {
        expect(events).toMatchObject([
          { type: 'cash', kind: 'opening' },
          { type: 'cash', kind: 'deposit', reference: 'psp-1', by: { id: 'maria' } },
          { type: 'cash', kind: 'correction', reason },
          { type: 'block', blocked: true, reason: 'chargeback' },
        ]);
        break;
      }
    } finally {
      await store.close();
    }
  },
);

test.each(['Redis', 'PostgreSQL'])(
  'the decimals of a store in %s are read from it, and a flag that disagrees is refused (D2.5)',
  async (name) => {
    const isRedis = name === 'Redis';
    const url = isRedis ? redis.url : await postgres.createDatabase();
    const own = isRedis ? ['--namespace', 'two'] : [];
    const made = isRedis
      ? createRedisStore({ url, namespace: 'two', init: true, decimals: 2, ...patience })
      : createPostgresStore({ url, init: true, decimals: 2, ...patience });
    await made.ready();
    await made.close();
    const where = ['--store', url, ...own, '--operator', 'casino', '--player', 'cy'];
    const open = ['player', 'open', ...where, '--currency', 'EUR', '--real', '10.25'];
    expect(await runCli(open)).toEqual(done('Opened. Balance: 10.25 EUR\n'));
    expect(await runCli(['player', 'block', ...where])).toEqual(done('Blocked.\n'));
    const books = await runCli(['books', '--store', url, ...own, '--check']);
    expect(books).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nEUR +10\.25 /) });
    expect(await runCli(['player', 'unblock', ...where, '--decimals', '4'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has decimals 2; this store is set to 4.'),
    });
  },
);

test.each<[string, string[], string]>([
  ['deposit', ['--currency', 'EUR', '--amount', '1'], '--reference is missing.'],
  ['deposit', ['--currency', 'EUR', '--reference', 'r'], '--amount is missing.'],
  ['correct', ['--currency', 'EUR', '--reference', 'r', '--amount', '1'], '--reason is missing.'],
  [
    'deposit',
    ['--currency', 'EUR', '--reference', 'r', '--amount', '1e3'],
    '--amount must be a decimal such as 10.50',
  ],
  ['deposit', ['--currency', 'eur', '--reference', 'r', '--amount', '1'], 'currency must be three'],
  ['withdraw', ['--currency', 'EUR', '--reference', 'a#b', '--amount', '1'], 'reference must be'],
  [
    'correct',
    ['--currency', 'EUR', '--reference', 'r', '--amount', '1', '--reason', 'short'],
    'reason must be 10 to 500 characters',
  ],
  ['cash', ['--before', 'nonsense'], 'before must be the `next` of a page'],
])('player %s %j is refused in one line: %s', async (command, args, message) => {
  const { code, stdout, stderr } = await player('PostgreSQL', command, ...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr.trim()).not.toContain('\n');
});

test('an order whose reply is lost says so, and the same command again moves nothing more', async () => {
  const where = new URL(addresses['PostgreSQL'] ?? '');
  const proxy = await startTcpProxy({ host: where.hostname, port: Number(where.port) });
  try {
    where.port = String(proxy.port);
    where.hostname = '127.0.0.1';
    await player('PostgreSQL', 'open', '--currency', 'USD');
    const order = ['--currency', 'USD', '--amount', '5', '--reference', 'lost', '--player', 'ann'];
    const command = ['player', 'deposit', '--store', where.href, '--operator', 'casino', ...order];
    const dropped = proxy.dropNextReply({ to: (request) => request.includes('record_cash') });
    const { code, stdout, stderr } = await runCli(command);
    await dropped;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^error: Not known whether the money moved: .*\. Run the same command again: the reference lost moves it once\.\n$/,
    );
    const again = await runCli(command);
    expect(again.stdout).toBe('Done before, nothing moved again. Balance: 5.00 USD\n');
  } finally {
    await proxy.close();
  }
});

test.each([
  ['player', 'show', '--player', 'p'],
  ['player', 'rounds', 'p'],
  ['rounds', 'attention'],
  ['rounds', 'show', '--player', 'p', '--round', 'r'],
  ['rounds', 'repair', 'list'],
])(
  'a store in memory, which is empty when a command starts, is refused: %s %s',
  async (...command) => {
    const { code, stderr } = await runCli([...command, '--store', 'memory:', '--operator', 'o']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--store memory: is empty')]);
  },
);
