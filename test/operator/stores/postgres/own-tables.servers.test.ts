import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import {
  createOwnTablesStore,
  createPostgresStore,
  migratePostgres,
} from '../../../../lib/operator/stores/postgres';
import { StoreUnsafeError } from '../../../../lib/operator/wallet';
import {
  changeOf,
  give,
  openingOf,
  real,
  take,
  takeMore,
} from '../../../../lib/proof/contracts/changes';
import { exampleSql, preparePlatform } from '../../../servers/postgres/own-tables';
import { startPostgres } from '../../../servers/postgres/server';
import { patience } from '../../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const ANN = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const round = { operatorId: 'casino', playerId: ANN, gameRound: 'r' };
const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);
let url: string;
let pool: Pool;

beforeEach(async () => {
  url = await server().createDatabase();
  pool = cleanup.after(new Pool({ connectionString: url }));
});

/** A store over the pool, with short attempts where its function fails. */
function open(more: { readonly events?: readonly string[]; readonly schema?: string } = {}) {
  const store = createOwnTablesStore({ ...patience, ...more, url });
  return cleanup.after(store);
}

/** A store of the other kind: its money is in its own accounts. */
function openAccounts(schema = 'rgs_wallet') {
  const store = createPostgresStore({ ...patience, schema, url, init: true });
  return cleanup.after(store);
}

/** The platform of the example, with ann who has these units. */
async function platform(units = 1_000_000n): Promise<void> {
  await preparePlatform(pool);
  await pool.query(`INSERT INTO casino.wallets VALUES ($1, 'EUR', $2::bigint / 10000.0, NULL)`, [
    ANN,
    units,
  ]);
}

/** The functions of the example, with a text of theirs replaced. */
async function replaceFunctions(what: string, by: string): Promise<void> {
  const sql = exampleSql('functions');
  expect(sql).toContain(what);
  await pool.query('DROP FUNCTION rgs_wallet.move_money; DROP FUNCTION rgs_wallet.accounts_of');
  await pool.query('DROP FUNCTION casino.user_of; DROP FUNCTION casino.is_above_limit');
  await pool.query(sql.replace(what, by));
}

async function entries(): Promise<string[]> {
  const { rows } = await pool.query<{ text: string }>(
    "SELECT kind || ' ' || real || ' ' || hash AS text FROM casino.entries ORDER BY id",
  );
  return rows.map(({ text }) => text);
}

async function balance(): Promise<string | undefined> {
  const { rows } = await pool.query<{ balance: string }>('SELECT balance FROM casino.wallets');
  return rows[0]?.balance;
}

describe('ready', () => {
  test('the option history is a TypeError that says why', () => {
    const options = { url, history: true };
    expect(() => createOwnTablesStore(options)).toThrow(TypeError);
    expect(() => createOwnTablesStore(options)).toThrow(
      'createOwnTablesStore: history is not available for your own tables, because the balances are yours',
    );
  });

  test('passes over the example, and leaves nothing behind', async () => {
    await platform();
    await open().ready();
    expect([await entries(), await balance()]).toEqual([[], '100.0000']);
  });

  test('names the function that is missing', async () => {
    await migratePostgres({ pool });
    const missing = open().ready();
    await expect(missing).rejects.toThrow(StoreUnsafeError);
    await expect(missing).rejects.toThrow('move_money("rgs_wallet".movement) is missing');
  });

  const wrong = [
    [
      'move_money with another answer',
      'OUT real_units bigint',
      'OUT real_units numeric',
      'move_money must be VOLATILE and answer',
    ],
    [
      'move_money that may not write',
      'LANGUAGE plpgsql SECURITY',
      'LANGUAGE plpgsql STABLE SECURITY',
      'move_money must be VOLATILE and answer',
    ],
    [
      'accounts_of with another answer',
      'TABLE (currency text',
      'TABLE (ccy text',
      'accounts_of must be STABLE',
    ],
    [
      'accounts_of that is volatile',
      'bonus_units bigint) LANGUAGE plpgsql STABLE',
      'bonus_units bigint) LANGUAGE plpgsql',
      'accounts_of must be STABLE',
    ],
    [
      'a table that is not found',
      'plpgsql SECURITY DEFINER SET search_path = casino, pg_temp',
      'plpgsql',
      'fail for the unknown player',
    ],
    [
      'an id that fails a cast',
      "SELECT CASE WHEN player_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN player_id::uuid END",
      'SELECT player_id::uuid',
      'invalid input syntax for type uuid',
    ],
    [
      'another refusal of an unknown player',
      "ELSE 'noPlayer' END",
      "ELSE 'refused' END",
      'as noPlayer, not as refused',
    ],
    [
      'an unknown player who is opened',
      'refusal := CASE WHEN EXISTS',
      "INSERT INTO wallets VALUES (gen_random_uuid(), 'EUR', 0); real_units := -1; RETURN; refusal := CASE WHEN EXISTS",
      'as noPlayer, not as done',
    ],
    [
      'lines of an unknown player',
      'WHERE user_id = user_of(of_player)',
      '',
      'accounts_of must have no line',
    ],
  ] as const;

  test.each(wrong)('finds %s', async (_, what, by, message) => {
    await platform();
    if (what.startsWith('plpgsql SECURITY')) {
      await pool.query('ALTER FUNCTION rgs_wallet.move_money RESET search_path');
      await pool.query('ALTER FUNCTION rgs_wallet.move_money SECURITY INVOKER');
    } else await replaceFunctions(what, by);
    const tried = open().ready();
    await expect(tried).rejects.toThrow(StoreUnsafeError);
    await expect(tried).rejects.toThrow(message);
    const { rows } = await pool.query('SELECT FROM casino.wallets');
    expect(rows).toHaveLength(1);
  });
});

describe('a schema made for one kind of money', () => {
  test('is refused by the other kind of store, whichever came first', async () => {
    await platform();
    await open().ready();
    await expect(openAccounts().ready()).rejects.toThrow(
      "has the money in the platform's tables (createOwnTablesStore)",
    );
    await openAccounts('other').ready();
    await expect(open({ schema: 'other' }).ready()).rejects.toThrow(
      'has the money in its own accounts',
    );
  });
});

describe('a commit', () => {
  beforeEach(() => platform());

  test('gives the function the movement with its round, hash and game', async () => {
    await replaceFunctions(
      'DECLARE\n',
      "DECLARE\n  told CONSTANT text := set_config('casino.told', to_json(m)::text, false);\n",
    );
    const own = cleanup.after(new Pool({ connectionString: url, max: 1 }));
    const store = cleanup.after(createOwnTablesStore({ ...patience, pool: own }));
    expect(
      await store.rounds.commit(round, openingOf([take('d', 5n, { bonusFirst: true })])),
    ).toMatchObject({
      kind: 'committed',
    });
    const { rows } = await own.query("SELECT current_setting('casino.told')::json AS told");
    expect(rows).toEqual([
      {
        told: {
          operator_id: 'casino',
          player_id: ANN,
          currency: 'EUR',
          kind: 'take',
          real: 5,
          bonus: 0,
          bonus_first: true,
          game_round: 'r',
          hash: 'd',
          game_code: 'game',
        },
      },
    ]);
  });

  test("a rule of the platform's refuses with its reason, and writes nothing", async () => {
    await pool.query('INSERT INTO casino.loss_limits VALUES ($1, 5)', [ANN]);
    const store = open();
    const opening = openingOf([take('d', 30_000n), give('c', real(10_000n))]);
    expect(await store.rounds.commit(round, opening)).toMatchObject({ kind: 'committed' });
    const other = { ...round, gameRound: 'other' };
    const refused = await store.rounds.commit(other, openingOf([take('e', 30_001n)]));
    expect(refused).toEqual({ kind: 'refused', hash: 'e', reason: 'limitReached' });
    expect(await store.rounds.commit(other, openingOf([take('e', 30_000n)]))).toMatchObject({
      kind: 'committed',
    });
    expect(await entries()).toEqual(['take -3.0000 d', 'give 1.0000 c', 'take -3.0000 e']);
  });

  test.each([
    [
      'another sum',
      'real_units := -m.real - bonus_units;',
      'real_units := -m.real - bonus_units + 1;',
    ],
    ['a win to another balance', 'bonus_units := m.bonus;', 'bonus_units := m.real;'],
    ['a stake that is given', "IF m.kind = 'take' THEN", 'IF false THEN'],
    ['a reason that nobody knows', "'blocked'\n", "'blocked'\n      WHEN true THEN 'sunday'\n"],
    [
      'an error of its own',
      "'blocked'\n",
      "'blocked'\n      WHEN 1 / (w.balance - w.balance) = 1 THEN 'tooLow'\n",
    ],
  ])('answers unknown, and moves nothing, where the function moves %s', async (_, what, by) => {
    await replaceFunctions(what, by);
    const store = open();
    const change = openingOf([take('d', 5n), give('c', real(2n))]);
    expect(await store.rounds.commit(round, change)).toMatchObject({ kind: 'unknown' });
    expect([await entries(), await balance()]).toEqual([[], '100.0000']);
    expect(await store.rounds.readRound(round)).toBeNull();
  });

  test('a call that is sent again does not come to the function, whatever it would answer', async () => {
    const store = open();
    const change = openingOf([take('d', 5n)]);
    expect(await store.rounds.commit(round, change)).toMatchObject({ kind: 'committed' });
    await replaceFunctions(
      "'blocked'\n",
      "'blocked'\n      WHEN 1 / (w.balance - w.balance) = 1 THEN 'tooLow'\n",
    );
    expect(await store.rounds.commit(round, change)).toEqual({ kind: 'stale' });
    expect(await entries()).toEqual(['take -0.0005 d']);
  });

  test('a movement that leaves the range on the way is named, and all is undone', async () => {
    const store = open();
    const most = 2n ** 53n - 1n;
    const opening = openingOf([take('d', 0n), give('c', real(most)), takeMore('e', 5n)]);
    const refused = { kind: 'refused', hash: 'c', reason: 'outOfRange' };
    expect(await store.rounds.commit(round, opening)).toEqual(refused);
    expect([await entries(), await balance()]).toEqual([[], '100.0000']);
  });

  test('its event has the balances of the platform, and those of one player keep their order', async () => {
    const store = open({ events: ['bridge'] });
    await store.ready();
    const opening = openingOf([take('d', 10_000n)]);
    await store.rounds.commit(round, opening);
    const now = { ...opening.after, debits: real(10_000n) };
    await store.rounds.commit(round, changeOf(now, [give('c', real(25_000n))]));
    const batch = await firstOf(store.events.read({ consumer: 'bridge', operatorId: 'casino' }));
    expect(batch.events).toMatchObject([
      { accounts: [{ currency: 'EUR', real: '99' }], movements: [{ hash: 'd' }] },
      { accounts: [{ currency: 'EUR', real: '101.5' }], movements: [{ hash: 'c' }] },
    ]);
  });

  test('cash of the platform that it tells is an event in the order of the balances, while a consumer is declared', async () => {
    const page = readFileSync(join(__dirname, '../../../../docs/own-tables.md'), 'utf8');
    const [, statements = ''] = /```sql\n(BEGIN;[^`]*)```/.exec(page) ?? [];
    await pool.query(statements);
    const store = open({ events: ['bridge'] });
    await store.ready();
    await store.rounds.commit(round, openingOf([take('d', 10_000n)]));
    await pool.query(statements);
    const batch = await firstOf(store.events.read({ consumer: 'bridge', operatorId: 'casino' }));
    expect(batch.events).toMatchObject([
      { type: 'round', accounts: [{ currency: 'EUR', real: '104' }] },
      {
        type: 'cash',
        id: `casino/${ANN}/cash/payment-4711`,
        kind: 'deposit',
        by: null,
        movements: [{ currency: 'EUR', real: '5', bonus: '0' }],
        accounts: [{ currency: 'EUR', real: '109' }],
      },
    ]);
    const wrong = "SELECT rgs_wallet.record_act('casino', 'p', 'opening', 'r', 'EUR', 1, 'real')";
    await expect(pool.query(wrong)).rejects.toThrow('record_act must be told');
  });
});

async function firstOf<T>(items: AsyncIterable<T>): Promise<T> {
  for await (const item of items) return item;
  throw new Error('there is none');
}

test("limits are the platform's: a void that moves no money is written as any other", async () => {
  await platform();
  const store = open();
  await store.ready();
  const opening = openingOf([take('d', 5n), give('c', real(5n))]);
  expect((await store.rounds.commit(round, opening)).kind).toBe('committed');
  const purse = real(5n);
  const back = {
    currency: 'EUR',
    at: 1,
    debits: purse,
    credits: purse,
    isWholeRound: true,
  } as const;
  const { after } = opening;
  const change = { ...changeOf(after, []), takenBack: [back] };
  expect((await store.rounds.commit(round, change)).kind).toBe('committed');
  expect((await store.rounds.commit(round, change)).kind).toBe('stale');
  expect([store.players, await balance()]).toEqual([undefined, '100.0000']);
});
