import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { unsignedDelivery } from '../../lib/operator/gameround';
import { createOwnTablesStore, migratePostgres } from '../../lib/operator/stores/postgres';
import { doTransactions } from '../../lib/operator/wallet';
import { systemClock } from '../../lib/platform';
import type { Transaction } from '../../lib/protocol/operator-api/transaction';
import { exampleLedgerFile } from '../operator/ledger/ledger-file';
import { Cleanup } from '../servers/cleanup';
import { exampleSql, preparePlatform } from '../servers/postgres/own-tables';
import { type PostgresServer, startPostgres } from '../servers/postgres/server';
import { patience } from '../support/patience';
import { debitCall, OPERATOR, OPERATOR_ID, runCli, startService, temporaryFile } from './cli';

const ANN = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const cleanup = new Cleanup();
let server: PostgresServer;
let pool: Pool;
let url: string;
let where: string[];

beforeAll(async () => {
  server = cleanup.after(await startPostgres());
  url = await server.createDatabase();
  pool = cleanup.after(new Pool({ connectionString: url }));
  await preparePlatform(pool);
  await pool.query("INSERT INTO casino.wallets VALUES ($1, 'EUR', 100, 5)", [ANN]);
  where = ['--store', url, '--operator', OPERATOR_ID];
  await playStranded();
});

afterAll(() => cleanup.run());

/** A round with a stake of 10 and a win in a currency that the player has no account in. */
async function playStranded(): Promise<void> {
  const store = createOwnTablesStore({ url, events: ['bridge'], ...patience });
  cleanup.after(store);
  const debit: Transaction = {
    type: 'debit',
    hash: 'r1',
    currency: 'EUR',
    amount: 100_000n,
    discount: 0n,
    isFirstDebit: true,
    serial: null,
  };
  const win: Transaction = {
    type: 'credit',
    hash: 'w1',
    currency: 'USD',
    amount: 70_000n,
    serial: null,
  };
  for (const transaction of [debit, win]) {
    await doTransactions(
      { operatorId: OPERATOR_ID, playerId: ANN, gameRound: 'r1' },
      { playerId: ANN, gameRound: 'r1', gameCode: 'bells', transactions: [transaction] },
      unsignedDelivery('d'),
      {
        rounds: store.rounds,
        clock: systemClock,
        deadlineMs: 60_000,
        policy: { useBonusFirst: false, creditTo: 'real' },
      },
    );
  }
}

test('rounds are listed, shown and repaired, and the money of a repair is in the tables of the platform', async () => {
  const round = [...where, '--player', ANN, '--round', 'r1'];
  expect((await runCli(['rounds', 'attention', ...where])).stdout).toContain('r1');
  expect((await runCli(['rounds', 'show', ...round])).stdout).toContain('stranded');
  const byHash = await runCli(['rounds', 'show', ...where, '--player', ANN, '--hash', 'w1']);
  expect(byHash.stdout).toContain('stranded');
  const listed = await runCli(['player', 'rounds', ANN, ...where]);
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('stranded') });
  await pool.query("INSERT INTO casino.wallets VALUES ($1, 'USD', 0, NULL)", [ANN]);
  const why = ['--kind', 'pay', '--reason', 'it was won', '--by', 'anna', '--json'];
  const proposed = await runCli(['rounds', 'repair', 'propose', ...round, ...why]);
  const { id } = JSON.parse(proposed.stdout) as { id: string };
  const made = await runCli(['rounds', 'repair', 'approve', ...round, '--id', id, '--by', 'bert']);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const { rows } = await pool.query("SELECT balance::int FROM casino.wallets WHERE ccy = 'USD'");
  expect(rows).toEqual([{ balance: 7 }]);
  expect((await runCli(['rounds', 'repairs', ...where])).stdout).toContain('anna');
});

test('events are counted and read', async () => {
  const lag = await runCli(['events', 'lag', ...where]);
  expect(lag).toMatchObject({ code: 0, stdout: expect.stringContaining('bridge') });
});

test('serve plays rounds over the tables of the platform', async () => {
  const service = await startService(['--store', url, '--events', 'bridge'], OPERATOR);
  cleanup.after(service);
  expect(await service.call(debitCall(ANN, 'r2', { amount: 3 }))).toMatchObject({ status: 200 });
  const { rows } = await pool.query(
    "SELECT balance::int AS real, bonus::int FROM casino.wallets WHERE ccy = 'EUR'",
  );
  expect(rows).toEqual([{ real: 90, bonus: 2 }]);
  expect((await service.line('listening'))['money']).toBe('own tables');
});

test('the balances of a player are those of the platform', async () => {
  const shown = await runCli(['player', 'show', ...where, '--player', ANN]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/^ *90\.00 EUR +\d\.00 EUR$/m);
  const json = await runCli(['player', 'show', ...where, '--player', ANN, '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ playerId: ANN, accounts: { length: 2 } });
  const nobody = await runCli(['player', 'show', ...where, '--player', 'nobody']);
  expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('no player nobody') });
});

test('what is the business of the platform is refused with the reason, and changes nothing', async () => {
  const ann = [...where, '--player', ANN];
  const order = [...ann, '--currency', 'EUR', '--amount', '1', '--reference', 'x'];
  const refused = [
    ['player', 'open', ...ann, '--currency', 'SEK'],
    ['player', 'deposit', ...order],
    ['player', 'withdraw', ...order],
    ['player', 'correct', ...order, '--reason', 'by hand'],
    ['player', 'block', ...ann],
    ['player', 'unblock', ...ann],
    ['player', 'cash', ...ann],
    ['books', '--check', '--store', url],
    ['books', '--check', '--store', url, '--ledger', await exampleLedgerFile()],
    ['rounds', 'attention', ...where, '--ledger', await exampleLedgerFile()],
    ['demo', '--store', url],
  ];
  const before = await pool.query('SELECT count(*) FROM casino.entries');
  for (const args of refused) {
    const { code, stdout, stderr } = await runCli(args);
    expect([args.slice(0, 2), code, stdout]).toEqual([args.slice(0, 2), 2, '']);
    expect(stderr).toMatch(/in (?:tables of the platform's own|the platform's tables)/);
  }
  const players = await temporaryFile('players.json', []);
  for (const more of [
    ['--players', players],
    ['--ledger', await exampleLedgerFile()],
  ]) {
    const serve = ['serve', '--port', '0', '--store', url, '--events', 'bridge', ...more];
    const { code, stderr } = await runCli(serve, { env: OPERATOR });
    expect([more[0], code]).toEqual([more[0], 2]);
    expect(stderr).toMatch(/in (?:tables of the platform's own|the platform's tables)/);
  }
  const after = await pool.query('SELECT count(*) FROM casino.entries');
  expect(after.rows).toEqual(before.rows);
});

test('serve --history is refused: the balances of the platform are not kept', async () => {
  const serve = ['serve', '--port', '0', '--store', url, '--history'];
  const { code, stderr } = await runCli(serve, { env: OPERATOR });
  expect(code).toBe(2);
  expect(stderr).toContain('history is not available for your own tables');
});

/** Lists the rounds of a store that wait for a person. */
function list(at: string, ...more: string[]) {
  return runCli(['rounds', 'attention', '--store', at, '--operator', OPERATOR_ID, ...more]);
}

test('--own-tables chooses the kind of a schema that no store has used yet, and that of no other', async () => {
  const fresh = await server.createDatabase();
  const own = new Pool({ connectionString: fresh });
  await preparePlatform(own);
  await own.end();
  expect(await list(fresh, '--own-tables')).toMatchObject({ code: 0 });
  expect(await list(fresh)).toMatchObject({ code: 0 });
  expect(await runCli(['books', '--store', fresh])).toMatchObject({ code: 2 });
  const accounts = await server.createDatabase();
  await migratePostgres({ url: accounts });
  expect(await list(accounts)).toMatchObject({ code: 0 });
  const other = await list(accounts, '--own-tables');
  expect(other).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the money in its own accounts'),
  });
  const redis = await list('redis://127.0.0.1:1', '--own-tables');
  expect(redis).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--own-tables is for a store in PostgreSQL'),
  });
});

test('a function of the platform that is missing is named', async () => {
  const broken = await server.createDatabase();
  const own = new Pool({ connectionString: broken });
  await own.query(exampleSql('platform'));
  await own.end();
  await migratePostgres({ url: broken });
  const args = ['rounds', 'attention', '--store', broken, '--operator', OPERATOR_ID];
  const { code, stderr } = await runCli([...args, '--own-tables']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/accounts_of|move_money/);
});
