import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { unsignedDelivery } from '../../lib/operator/gameround';
import { createLedgerStore, type LedgerStore } from '../../lib/operator/ledger';
import { approveRepair } from '../../lib/operator/operations/repairs/decision';
import { proposeRepair } from '../../lib/operator/operations/repairs/propose';
import { createPostgresStore } from '../../lib/operator/stores/postgres';
import { createRedisStore } from '../../lib/operator/stores/redis';
import { doTransactions, type RoundKey } from '../../lib/operator/wallet';
import { systemClock } from '../../lib/platform';
import type { Transaction } from '../../lib/protocol/operator-api/transaction';
import { exampleLedgerFile } from '../operator/ledger/ledger-file';
import { Cleanup } from '../servers/cleanup';
import { openPostgresLedger, type PostgresLedger } from '../servers/postgres/ledger';
import { type PostgresServer, startPostgres } from '../servers/postgres/server';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { patience } from '../support/patience';
import { type CliResult, runCli, temporaryFile } from './cli';

const cleanup = new Cleanup();
let redis: RedisServer;
let postgres: PostgresServer;
let file: string;

beforeAll(async () => {
  redis = cleanup.after(await startRedis());
  postgres = cleanup.after(await startPostgres());
  file = await exampleLedgerFile();
});

afterAll(() => cleanup.run());

const ann = { operatorId: 'casino', playerId: 'ann', gameRound: 'r1' };
const bob = { ...ann, playerId: 'bob' };

/** The platform's money, a journal for its rounds, and the command over both. */
interface Platform {
  readonly money: PostgresLedger;
  readonly store: LedgerStore;
  books(...args: string[]): Promise<CliResult>;
}

async function open(journalIn: string): Promise<Platform> {
  const money = cleanup.after(await openPostgresLedger(postgres));
  for (const { operatorId, playerId } of [ann, bob]) {
    await openAccount(money, operatorId, playerId, 'EUR', 1_000_000n);
  }
  const url = journalIn === 'Redis' ? redis.url : await postgres.createDatabase();
  const journal =
    journalIn === 'Redis'
      ? createRedisStore({ url, init: true, ...patience })
      : createPostgresStore({ url, init: true, ...patience });
  const store = createLedgerStore({ ledger: money.ledger, journal, ...unhurried });
  cleanup.after(store);
  await store.ready();
  const env = {
    LEDGER_DATABASE: money.pool.options.connectionString ?? '',
    LEDGER_FILE: file,
    LEDGER_TIMEOUT_MS: '60000',
  };
  return {
    money,
    store,
    books: (...args) => runCli(['books', '--check', '--store', url, ...args], { env }),
  };
}

async function openAccount(
  { players }: PostgresLedger,
  operatorId: string,
  playerId: string,
  currency: string,
  units: bigint,
): Promise<void> {
  await players.openPlayer({ operatorId, playerId, currency, balances: { real: { units } } });
}

async function play(store: LedgerStore, round: RoundKey, ...transactions: Transaction[]) {
  const { playerId, gameRound } = round;
  await doTransactions(
    round,
    { playerId, gameRound, gameCode: 'bells', transactions },
    unsignedDelivery('d'),
    { rounds: store.rounds, clock: systemClock, deadlineMs: 60_000, policy },
  );
}

const policy = { useBonusFirst: false, creditTo: 'real' } as const;

/** The slowest machine shall not fail a posting. */
const unhurried = { attemptTimeoutMs: 60_000, deadlineMs: 120_000 } as const;

function debit(hash: string, amount: bigint, currency = 'EUR'): Transaction {
  const one = { type: 'debit', hash, currency, amount, discount: 0n } as const;
  return { ...one, isFirstDebit: true, serial: null };
}

function credit(hash: string, amount: bigint, currency = 'EUR'): Transaction {
  return { type: 'credit', hash, currency, amount, serial: null };
}

const end: Transaction = { type: 'end', hash: 'end' };

/** A closed round, a voided one, one of another player, and one whose stranded win two people paid. */
async function playSome({ money, store }: Platform): Promise<void> {
  await play(store, ann, debit('r1', 100_000n), credit('w', 25_000n), end);
  const voided = { ...ann, gameRound: 'r2' };
  await play(store, voided, debit('r2', 70_000n));
  await play(store, voided, { type: 'void', hash: 'r2', amount: null, currency: null });
  await play(store, bob, debit('r1', 30_000n));
  const stranded = { ...bob, gameRound: 'r2' };
  await play(store, stranded, debit('r2', 10_000n));
  await play(store, stranded, credit('w', 40_000n, 'USD'));
  await openAccount(money, bob.operatorId, bob.playerId, 'USD', 0n);
  const order = { kind: 'pay', reason: 'the RGS told us that it was won' } as const;
  const proposed = await proposeRepair(stranded, order, { id: 'maria', name: null }, { store });
  if (proposed.kind !== 'proposed') throw new Error(`not proposed: ${proposed.kind}`);
  const { id } = proposed.repair;
  const made = await approveRepair(stranded, id, { id: 'nina', name: null }, { store });
  expect(made.kind).toBe('made');
}

test.each(['Redis', 'PostgreSQL'])(
  'what a ledger posted is its rounds in %s and their repairs, and a planted difference is named',
  async (journalIn) => {
    const platform = await open(journalIn);
    await playSome(platform);
    const note = [
      "Rounds without any posting were not looked for: the store keeps no list of a player's rounds.",
    ];
    const notes = (await platform.books()).stdout.includes(note[0] ?? '') ? note : [];
    const whole = [
      '     posted   round  repairs  rounds  differ',
      'EUR  −11.50  −11.50     0.00       4       0',
      'USD    4.00    0.00     4.00       1       0',
      'In all: 5 rounds, the books are whole.',
      ...notes,
    ];
    expect(await platform.books()).toEqual({
      code: 0,
      stdout: `${whole.join('\n')}\n`,
      stderr: '',
    });

    const { pool } = platform.money;
    await pool.query(
      "UPDATE posting_keys SET real = real + 15000 WHERE player_id = 'ann' AND hash = 'w'",
    );
    const differing = await platform.books();
    expect(differing.code).toBe(1);
    expect(differing.stdout.trim().split('\n')).toEqual([
      'DIFFERS: operator casino, player ann, round r1: the ledger posted 1.50 EUR more than the round says (posted −6.00 EUR, round −7.50 EUR, repairs 0.00 EUR)',
      'Player ann of operator casino: posted −6.00 EUR, round −7.50 EUR, repairs 0.00 EUR; 2 rounds, 1 differ',
      whole[0],
      'EUR  −10.00  −11.50     0.00       4       1',
      whole[2],
      'In all: 5 rounds, 1 differ.',
      ...notes,
    ]);
    const lines = (await platform.books('--json', '--operator', 'casino')).stdout
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { gameRound: 'r1', difference: { real: '1.5', bonus: '0' }, standing: 'compared' },
      { player: { playerId: 'ann', currency: 'EUR', differing: 1 } },
      { whole: false, rounds: 5, differing: 1 },
    ]);
    expect(await platform.books('--operator', 'casino', '--player', 'bob')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        'Player bob of operator casino: posted 4.00 USD, round 0.00 USD, repairs 4.00 USD; 1 round\n',
      ),
    });
    await pool.query(
      "UPDATE posting_keys SET real = real - 15000 WHERE player_id = 'ann' AND hash = 'w'",
    );
    expect(await platform.books()).toMatchObject({ code: 0 });

    await pool.query("DELETE FROM posting_keys WHERE currency = 'USD'");
    const unpaid = await platform.books();
    expect(unpaid.code).toBe(1);
    expect(unpaid.stdout).toContain(
      'DIFFERS: operator casino, player bob, round r2: the ledger posted −4.00 USD more than the round says (posted 0.00 USD, round 0.00 USD, repairs 4.00 USD)\n',
    );
  },
);

test('money that is missing in one currency alone is named by player, round and currency', async () => {
  const platform = await open('PostgreSQL');
  const { money, store } = platform;
  const [eur, usd, sek] = ['r1', 'r2', 'r3'].map((gameRound) => ({ ...ann, gameRound }));
  if (eur === undefined || usd === undefined || sek === undefined) throw new Error('three rounds');
  for (const currency of ['USD', 'SEK']) {
    await openAccount(money, ann.operatorId, ann.playerId, currency, 1_000_000n);
  }
  await play(store, eur, debit('r1', 100_000n), credit('w', 25_000n), end);
  await play(store, usd, debit('r2', 60_000n, 'USD'), credit('w', 20_000n, 'USD'), end);
  await play(store, sek, debit('r3', 10_000n, 'SEK'), end);
  await play(store, bob, debit('r1', 30_000n));
  expect(await platform.books()).toMatchObject({ code: 0 });
  const { pool } = money;
  const lines = async (): Promise<string[]> => {
    const { code, stdout } = await platform.books();
    expect(code).toBe(1);
    return stdout.split('\n').filter((line) => /^(?:DIFFERS|Player)/.test(line));
  };
  const missing = [
    'DIFFERS: operator casino, player ann, round r2: the ledger posted 4.00 USD more than the round says (posted 0.00 USD, round −4.00 USD, repairs 0.00 USD)',
    'Player ann of operator casino: posted 0.00 USD, round −4.00 USD, repairs 0.00 USD; 1 round, 1 differ',
  ];
  await pool.query("UPDATE posting_keys SET real = 0 WHERE currency = 'USD'");
  expect(await lines()).toEqual(missing);
  // The round is listed in another currency alone: a key that moved nothing.
  await pool.query("UPDATE posting_keys SET currency = 'EUR' WHERE currency = 'USD'");
  expect(await lines()).toEqual(missing);
  // The ledger says nothing of the round, and nothing of the currency.
  await pool.query("DELETE FROM posting_keys WHERE game_round = 'r2'");
  expect(await lines()).toEqual(missing);
});

test('the command of docs/operations/books.md runs', async () => {
  const page = await readFile(join(__dirname, '../../docs/operations/books.md'), 'utf8');
  const [, command = ''] = /```sh\nrgs-wallet (books [^`]*--ledger[^`]*)```/.exec(page) ?? [];
  const platform = await open('PostgreSQL');
  await play(platform.store, ann, debit('r1', 1n));
  const [name, ...args] = command.trim().split(/\s+/);
  expect(name).toBe('books');
  // The store and the ledger of this test stand in for those of the page.
  const own = args.filter((arg) => !/^(--store|postgres:.*|--ledger|\..*)$/.test(arg));
  expect(await platform.books(...own)).toMatchObject({ code: 0 });
});

test('a ledger of thousands of rounds is read page by page, each round once', async () => {
  const platform = await open('PostgreSQL');
  await platform.money.pool.query(`
    INSERT INTO posting_keys (key, content, real, operator_id, player_id, currency, game_round, hash)
    SELECT kind || n, 'x', CASE kind WHEN 'd' THEN -5 ELSE 5 END, 'casino', 'p' || n / 7, 'EUR', 'r' || n, kind
    FROM generate_series(1, 1201) AS n, (VALUES ('d'), ('c')) AS kinds (kind)`);
  expect(await platform.books()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\nEUR +0\.00 +0\.00 +0\.00 +1201 +0\n/),
  });
  await platform.money.pool.query("UPDATE posting_keys SET real = -4 WHERE key = 'd1100'");
  expect(await platform.books()).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^DIFFERS \(the store does not know the round\): operator casino, player p157, round r1100: the ledger posted 0\.0001 EUR more/,
    ),
  });
});

test('a ledger without postedRounds cannot be checked, and the command says so', async () => {
  const url = await postgres.createDatabase();
  const journal = createPostgresStore({ url, init: true, ...patience });
  await journal.ready();
  await journal.close();
  const methods = ['debit', 'credit', 'reverse', 'balances'].map((name) => `${name}() {}`);
  const bare = await temporaryFile('bare.cjs', `module.exports = { ${methods.join(', ')} };`);
  expect(await runCli(['books', '--check', '--store', url, '--ledger', bare])).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: --ledger ${bare}: the books cannot be checked: the ledger has no method postedRounds, which lists what it posted.\n`,
  });
});
