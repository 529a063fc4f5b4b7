import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';

import { Keys } from '../../lib/operator/stores/redis/codec/keys';
import { createRedisStore } from '../../lib/operator/stores/redis';
import { createPostgresStore } from '../../lib/operator/stores/postgres';
import type { AccountStore } from '../../lib/operator/wallet';
import { give, openingOf, real, take } from '../../lib/proof/contracts/changes';
import { type PostgresServer, startPostgres } from '../servers/postgres/server';
import { withRedis } from '../servers/redis/client';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import { type CliResult, runCli } from './cli';

let redis: RedisServer;
let postgres: PostgresServer;
let stores: Readonly<Record<string, AccountStore>>;
let addresses: Readonly<Record<string, string>>;

beforeAll(async () => {
  redis = await startRedis();
  postgres = await startPostgres();
  addresses = { Redis: redis.url, PostgreSQL: await postgres.createDatabase() };
  const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
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

function books(name: string, ...args: string[]): Promise<CliResult> {
  return runCli(['books', '--check', '--store', addresses[name] ?? '', ...args]);
}

const ann = { operatorId: 'casino', playerId: 'ann', gameRound: 'r' };

/** Changes a balance in the data, behind the back of the store. */
async function plant(name: string, units: number): Promise<void> {
  if (name === 'Redis') {
    await withRedis(redis, (admin) =>
      admin.hset(new Keys('rgs').account(ann), 'EUR', String(units)),
    );
    return;
  }
  const pool = new Pool({ connectionString: addresses['PostgreSQL'] });
  await pool.query("UPDATE rgs_wallet.accounts SET real = $1 WHERE player_id = 'ann'", [units]);
  await pool.end();
}

test.each(['Redis', 'PostgreSQL'])(
  'the books in %s are whole, and a planted difference is found and named',
  async (name) => {
    const store = stores[name];
    if (store === undefined) throw new Error('the store must be open');
    expect(await books(name)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^In all: 0 accounts, the books are whole\.\nNo account: if the money is in/,
      ),
    });
    await store.players.openPlayer({ ...ann, currency: 'EUR', balances: { real: '100' } });
    const bob = { operatorId: 'casino', playerId: 'bob', currency: 'USD' };
    await store.players.openPlayer({ ...bob, balances: { real: '7', bonus: '1' } });
    await store.players.withdraw({ ...bob, amount: '2', reference: 'w' });
    const closed = openingOf([take('d', 250_000n), give('c', real(50_000n))], { state: 'closed' });
    await store.rounds.commit(ann, closed);
    await store.rounds.commit({ ...ann, gameRound: 'open' }, openingOf([take('d', 10_000n)]));
    const [rounds, carried] = name === 'Redis' ? ['−1.00', '−20.00'] : ['−21.00', '0.00'];
    const places = `${rounds.padStart(6)}  ${carried.padStart(7)}`;
    const whole = [
      '           balance    cash  rounds  carried  repairs  accounts',
      `EUR          79.00  100.00  ${places}     0.00         1`,
      'USD           5.00    5.00    0.00     0.00     0.00         1',
      'USD bonus     1.00    1.00    0.00     0.00     0.00',
      'In all: 2 accounts, the books are whole.',
    ];
    expect((await books(name)).stdout.split('\n')).toEqual([...whole, '']);
    expect(await books(name)).toMatchObject({ code: 0, stderr: '' });

    await plant(name, 800_001);
    const differing = await books(name);
    expect(differing.code).toBe(1);
    expect(differing.stdout.split('\n')).toEqual([
      `DIFFERS: operator casino, player ann: the balance has 1.0001 EUR more than the books (balance 80.0001 EUR, cash 100.00 EUR, rounds ${rounds} EUR, carried ${carried} EUR, repairs 0.00 EUR)`,
      whole[0],
      `EUR        80.0001  100.00  ${places}     0.00         1`,
      ...whole.slice(2, 4),
      'In all: 2 accounts, 1 differ.',
      '',
    ]);
    const lines = (await books(name, '--json', '--operator', 'casino')).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        playerId: 'ann',
        currency: 'EUR',
        difference: { real: '1.0001', bonus: '0' },
        atRest: true,
      },
      {
        whole: false,
        accounts: 2,
        differing: 1,
        currencies: [{ currency: 'EUR' }, { currency: 'USD' }],
      },
    ]);
    expect(await books(name, '--operator', 'casino', '--player', 'bob')).toMatchObject({ code: 0 });
    // A misspelt operator must not look like whole books.
    const typo = ['--operator', 'cazino'];
    expect(await books(name, ...typo)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^No account of operator cazino: nothing was checked\.\n/),
    });
    expect((await books(name, '--operator', 'casino', '--player', 'eve')).stdout).toMatch(
      /^No account of player eve of operator casino: nothing was checked\.\n/,
    );
    expect(JSON.parse((await books(name, ...typo, '--json')).stdout)).toMatchObject({
      whole: false,
      accounts: 0,
    });
    await plant(name, 790_000);
    expect(await books(name)).toMatchObject({ code: 0 });
  },
);

test('the commands of the page on operations run', async () => {
  const page = await readFile(join(__dirname, '../../docs/operations/books.md'), 'utf8');
  const blocks = [...page.matchAll(/```sh\nrgs-wallet ((?:books|player)[^`]*)```/g)];
  // Others are run by books-ledger and restore.
  const commands = blocks.filter(([block]) => !/--ledger|restore-/.test(block));
  expect(commands).toHaveLength(2);
  const store = addresses['PostgreSQL'] ?? '';
  const account = { operatorId: 'my-casino', playerId: 'ann', currency: 'EUR' };
  await stores['PostgreSQL']?.players.openPlayer({ ...account, balances: { real: '10' } });
  for (const [, command = ''] of commands) {
    const words = command.replaceAll('\\\n', '').match(/"[^"]*"|\S+/g) ?? [];
    const args = words.map((word) => (word.startsWith('postgres:') ? store : word));
    const bare = args.map((word) => word.replaceAll('"', ''));
    expect(await runCli(bare, { env: { WALLET_STORE: store } })).toMatchObject({ code: 0 });
  }
  expect(await stores['PostgreSQL']?.rounds.accounts(account)).toMatchObject({
    accounts: [{ real: 75_000n }],
  });
});

test('what a database has in a name is escaped in JSON, and never reaches the terminal', async () => {
  const url = await postgres.createDatabase();
  expect((await runCli(['migrate', '--store', url])).code).toBe(0);
  const pool = new Pool({ connectionString: url });
  const name = 'an\u009bn';
  const reason = 'w\u0085';
  for (const player of [name, 'bob']) {
    await pool.query(
      "INSERT INTO rgs_wallet.accounts VALUES ('casino', $1, 'EUR', 1, NULL, false)",
      [player],
    );
    await pool.query(
      "INSERT INTO rgs_wallet.cash (operator_id, player_id, reference, units, currency, balance, kind, reason) VALUES ('casino', $1, 'r', 2, 'EUR', 'real', 'opening', $2)",
      [player, reason],
    );
  }
  await pool.end();
  const where = ['--store', url, '--operator', 'casino'];
  const first = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await runCli([...args, ...where, '--json']);
    expect(stdout).not.toMatch(/[\u007f-\u009f]/);
    return JSON.parse(stdout.split('\n')[0] ?? '');
  };
  expect(await first('books')).toMatchObject({ playerId: name });
  expect(await first('player', 'cash', '--player', 'bob')).toMatchObject({
    movements: [{ reason }],
  });
  for (const args of [['books'], ['player', 'cash', '--player', 'bob']]) {
    const { stdout } = await runCli([...args, ...where]);
    expect(stdout).toMatch(/an\?n|w\?/);
    expect(stdout).not.toMatch(/[\u007f-\u009f]/);
  }
});

test('a player without an operator, and a store in memory, are refused', async () => {
  expect(await books('Redis', '--player', 'ann')).toMatchObject({
    code: 2,
    stderr: 'error: --player needs --operator.\n',
  });
  const { code, stderr } = await runCli(['books', '--store', 'memory:']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--store memory: is empty')]);
});

test('the books of a Redis are only read: the process leaves no token behind', async () => {
  await until('the token of the store of the tests', async () =>
    (await settingsNames()).some((name) => name.startsWith('token ')),
  );
  const before = await settingsNames();
  await books('Redis');
  expect(await settingsNames()).toEqual(before);
});

function settingsNames(): Promise<string[]> {
  return withRedis(redis, (admin) => admin.hkeys('rgs:settings'));
}
