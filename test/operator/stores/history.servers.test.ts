import { expect, test } from '@jest/globals';
import { Pool } from 'pg';

import {
  createPostgresStore,
  type PostgresStoreOptions,
} from '../../../lib/operator/stores/postgres';
import { approveRepair } from '../../../lib/operator/operations/repairs/decision';
import { proposeRepair } from '../../../lib/operator/operations/repairs/propose';
import type { RepairOptions } from '../../../lib/operator/operations/repairs/input';
import {
  type AccountStore,
  doTransactions,
  type RoundKey,
  type FullStore,
} from '../../../lib/operator/wallet';
import { systemClock } from '../../../lib/platform';
import { freshDelivery } from '../../../lib/proof/subject/runner';
import { credit, debit, voidOf } from '../../../lib/proof/contracts/repairs/round-play';
import { oddIds } from '../../../lib/proof/contracts/samples';
import { errorCatalogue } from '../../../lib/protocol/operator-api/catalogue';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { startPostgres } from '../../servers/postgres/server';
import { patience } from '../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../support/each-test';

const cleanup = cleanupAfterEach();
const end = { type: 'end', hash: 'end' } as const;
const postgres = serverOfFile(startPostgres);

/** A new store with decimals 2, and a pool of its database. */
async function newStore(
  more: PostgresStoreOptions = {},
): Promise<{ store: FullStore; pool: Pool }> {
  const url = await postgres().createDatabase();
  const options = { url, init: true, decimals: 2, ...patience, ...more };
  const store = cleanup.after(createPostgresStore(options));
  await store.ready();
  const pool = cleanup.after(new Pool({ connectionString: url }));
  return { store, pool };
}

/** A call of the RGS that has an answer. */
async function call(
  store: AccountStore,
  round: RoundKey,
  ...transactions: readonly Transaction[]
): Promise<void> {
  const { playerId, gameRound } = round;
  const message = { playerId, gameRound, gameCode: 'bells', transactions };
  const outcome = await doTransactions(round, message, freshDelivery(), {
    rounds: store.rounds,
    clock: systemClock,
    policy: { useBonusFirst: false, creditTo: 'real' },
    deadlineMs: 60_000,
  });
  expect(outcome.unknown).toBeNull();
}

/** Makes a repair by two people. */
async function pay(store: AccountStore, round: RoundKey, hash: string): Promise<void> {
  const options: RepairOptions = { store, clock: systemClock, deadlineMs: 60_000 };
  const order = { kind: 'pay', hash, reason: 'the win was played, ticket 1' } as const;
  const proposed = await proposeRepair(round, order, { id: 'maria', name: 'Maria' }, options);
  if (proposed.kind !== 'proposed') throw new Error(`not proposed: ${proposed.kind}`);
  const { id } = proposed.repair;
  const made = await approveRepair(round, id, { id: 'jan', name: null }, options);
  expect(made.kind).toBe('made');
}

/** Rounds of every kind: what is taken, given, refused, voided, taken back, repaired. */
const plays: readonly ((store: AccountStore, round: RoundKey) => Promise<void>)[] = [
  (store, round) => call(store, round, debit('d', 10n, true), credit('c', 4n), end),
  async (store, round) => {
    await call(store, round, debit('d', 10n, true));
    await call(store, round, debit('d2', 3n), credit('behind', 50n), end);
    await call(store, round, voidOf('d2'));
  },
  async (store, round) => {
    await call(store, round, debit('d', 10n, true), credit('c', 7n));
    await call(store, round, voidOf('d'));
  },
  (store, round) => call(store, round, debit('d', 99_999n, true)),
  (store, round) => call(store, round, voidOf('early')),
  // An early void concerns debits alone: a credit of that hash is processed (D5.5).
  async (store, round) => {
    await call(store, round, voidOf('w'));
    await call(store, round, debit('d', 10n, true), credit('w', 7n));
  },
  async (store, round) => {
    await call(store, round, debit('d', 10n, true));
    const many = Array.from({ length: 30 }, (_, at) => debit(`d${at}`, 1n));
    await call(store, round, ...many, credit('c', 11n));
  },
  async (store, round) => {
    await call(store, round, debit('d', 10n, true));
    await call(store, round, debit('e', 99_999n));
    await call(store, round, credit('c', 25n));
    await pay(store, round, 'c');
  },
  async (store, round) => {
    await call(store, round, debit('d', 10n, true));
    await call(store, round, debit('e', 99_999n));
    await call(store, round, credit('c', 25n));
    await pay(store, round, 'c');
    await call(store, round, voidOf('d'));
  },
];

test('what reports sum is what the accounts hold, whatever the ids are', async () => {
  const { store, pool } = await newStore();
  const players = oddIds.filter((_, at) => at % 5 === 0);
  for (const [at, playerId] of players.entries()) {
    const operatorId = oddIds[at] ?? '';
    const balances = { real: { units: 100n }, bonus: { units: 35n } };
    await store.players.openPlayer({ operatorId, playerId, currency: 'EUR', balances });
    for (const [number, play] of plays.entries()) {
      await play(store, { operatorId, playerId, gameRound: `${oddIds[at + 7]}${number}` });
    }
  }
  const { rows: accounts } = await pool.query<Record<string, string>>(
    'SELECT operator_id, player_id, real, coalesce(bonus, 0) AS bonus FROM rgs_wallet.accounts ORDER BY 1, 2',
  );
  expect(accounts).toHaveLength(players.length);
  const cash = `SELECT operator_id, player_id, sum(units) FILTER (WHERE balance = 'real') AS real,
    sum(units) FILTER (WHERE balance = 'bonus') AS bonus FROM rgs_wallet.cash_movements GROUP BY 1, 2`;
  const moved = 'SELECT operator_id, player_id, net_real_units, net_bonus_units';
  const { rows: byTransaction } = await pool.query(
    `SELECT operator_id, player_id, sum(real)::text AS real, sum(bonus)::text AS bonus FROM (
      ${cash} UNION ALL ${moved} FROM rgs_wallet.transactions
    ) AS t GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  expect(byTransaction).toEqual(accounts);
  const { rows: byRound } = await pool.query(
    `SELECT operator_id, player_id, sum(real)::bigint::text AS real, sum(bonus)::bigint::text AS bonus FROM (
      ${cash} UNION ALL ${moved} FROM rgs_wallet.transactions WHERE type = 'repair'
      UNION ALL SELECT operator_id, player_id, (credits_real - debits_real) * 100, (credits_bonus - debits_bonus) * 100
        FROM rgs_wallet.rounds_view
    ) AS t GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  expect(byRound).toEqual(accounts);
});

test('every view has amounts in the currency where calls count 1/100 of it (P19)', async () => {
  const { store, pool } = await newStore({ unit: '1/100', history: true });
  const player = { operatorId: 'op', playerId: 'ann' };
  await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '5' } });
  await call(store, { ...player, gameRound: 'r' }, debit('d', 100n, true));
  const read = async (column: string, view: string): Promise<unknown> =>
    (await pool.query(`SELECT ${column}::text AS amount FROM rgs_wallet.${view}`)).rows;
  expect(await read('amount', 'cash_movements')).toEqual([{ amount: '5.00' }]);
  expect(await read('debits_real', 'rounds_view')).toEqual([{ amount: '1.00' }]);
  expect(await read('amount', 'transactions')).toEqual([{ amount: '1.00' }]);
  expect(await read('real', 'balances_view')).toEqual([{ amount: '4.00' }]);
});

test('the views have every transaction once, with the texts of the store', async () => {
  const { store, pool } = await newStore();
  const player = { operatorId: 'op', playerId: "o'neill {}" };
  await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '5' } });
  for (const [number, play] of plays.entries()) {
    await play(store, { ...player, gameRound: `round ${number}` });
  }
  const page = await store.history.rounds(player);
  if (page.kind !== 'known') throw new Error('the rounds must be known');
  const { rows: rounds } = await pool.query<Record<string, unknown>>(
    'SELECT game_round, state, opened_at, last_at FROM rgs_wallet.rounds_view ORDER BY game_round DESC',
  );
  expect(rounds).toEqual(
    page.rounds.map(({ gameRound, state, openedAt, lastAt }) => ({
      game_round: gameRound,
      state,
      opened_at: new Date(openedAt),
      last_at: new Date(lastAt),
    })),
  );
  for (const { gameRound } of page.rounds) {
    const report = await store.rounds.readRound({ ...player, gameRound });
    const expected = report?.toJSON().transactions.map(({ at, type, hash }) => [at, type, hash]);
    const { rows } = await pool.query<Record<string, unknown>>(
      "SELECT recorded_at, type, hash FROM rgs_wallet.transactions WHERE game_round = $1 AND type <> 'repair'",
      [gameRound],
    );
    const listed = rows.map((row) => [
      (row['recorded_at'] as Date).toISOString(),
      row['type'],
      row['hash'],
    ]);
    expect(textsOf(listed)).toEqual(textsOf(expected ?? []));
  }
});

/** The columns of what a transaction has done, with decimals 2. */
function net(real: string, bonus: string) {
  return {
    net_real: (Number(real) / 100).toFixed(2),
    net_bonus: (Number(bonus) / 100).toFixed(2),
    net_real_units: real,
    net_bonus_units: bonus,
  };
}

function textsOf(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

test('a reporting tool reads a transaction in plain columns', async () => {
  const { store, pool } = await newStore();
  const round = { operatorId: 'op', playerId: 'ann', gameRound: 'r1' };
  const balances = { real: '1', bonus: '0.50' };
  await store.players.openPlayer({ operatorId: 'op', playerId: 'ann', currency: 'EUR', balances });
  await call(store, round, debit('d', 120n, true));
  await call(store, round, debit('too much', 99_999n));
  await call(store, round, credit('c', 25n));
  await pay(store, round, 'c');
  const { rows } = await pool.query<Record<string, unknown>>(
    'SELECT * FROM rgs_wallet.transactions ORDER BY recorded_at, type',
  );
  const shared = {
    operator_id: 'op',
    player_id: 'ann',
    game_round: 'r1',
    game_code: 'bells',
    recorded_at: expect.any(Date),
    error_id: null,
    error_code: null,
    currency: 'EUR',
    is_voided: false,
    is_first: null,
    serial: null,
    repair: null,
    actor_id: null,
    actor_name: null,
  };
  const repair = rows.find(({ type }) => type === 'repair')?.['repair'];
  const debits = { ...shared, type: 'debit', is_first: false };
  const paid = { amount: '0.25', units: '25', hash: 'c', repair };
  expect(typeof repair).toBe('string');
  expect(rows).toEqual([
    {
      ...debits,
      ...net('-100', '-20'),
      hash: 'd',
      outcome: 'accepted',
      is_first: true,
      amount: '1.20',
      units: '120',
    },
    {
      ...debits,
      ...net('0', '0'),
      hash: 'too much',
      outcome: 'refused',
      error_id: 9001,
      error_code: 'BALANCETOOLOW',
      amount: '999.99',
      units: '99999',
    },
    {
      ...shared,
      ...net('0', '0'),
      ...paid,
      type: 'credit',
      outcome: 'refused',
      error_id: 9004,
      error_code: 'DEBITFAILEDBEFORE',
    },
    { ...shared, ...net('25', '0'), ...paid, type: 'repair', outcome: 'accepted', actor_id: 'jan' },
  ]);
});

test('reports know the id of every error of the catalogue', async () => {
  const { pool } = await newStore();
  const { rows } = await pool.query<{ code: string; id: number }>(
    'SELECT * FROM rgs_wallet.error_ids()',
  );
  const ids = Object.entries(errorCatalogue).map(([code, { id }]) => ({ code, id }));
  expect(rows).toEqual(ids);
});

test('a page costs the page, also for a player with 100,000 rounds', async () => {
  const { store, pool } = await newStore();
  await pool.query(`INSERT INTO rgs_wallet.rounds (operator_id, player_id, game_round, number, version, state, resume, changed_at,
      currency, game_code, started, credited, ended, unanswered, debits_real, debits_bonus, credits_real, credits_bonus,
      first_records, attention)
    SELECT 'op', CASE WHEN n % 3 = 0 THEN 'player ' || n ELSE 'ann' END, 'round ' || n, n, 1, 'closed', 'none', n, 'EUR', 'bells',
      true, 0, 1, 0, 0, 0, 0, 0, '[["end ' || n || '","e","accepted",' || n || ',""]]', false
    FROM generate_series(1, 150000) AS n`);
  await pool.query('VACUUM ANALYZE rgs_wallet.rounds');
  const player = { operatorId: 'op', playerId: 'ann' };
  const first = await store.history.rounds(player, { limit: 50 });
  if (first.kind !== 'known') throw new Error('the rounds must be known');
  expect([first.rounds.length, first.rounds[0]?.gameRound]).toEqual([50, 'round 149999']);
  for (const before of ['NULL', '75000', '100']) {
    const { rows } = await pool.query<Record<string, string>>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT r.number FROM rgs_wallet.rounds r
        WHERE r.operator_id = 'op' AND r.player_id = 'ann' AND r.number > 0 AND r.number < coalesce(${before}, 9223372036854775807)
          AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp())
        ORDER BY r.operator_id DESC, r.player_id DESC, r.number DESC LIMIT 51`,
    );
    const plan = JSON.stringify(rows);
    expect(plan).toContain('"Index Name":"rounds_by_player"');
    expect(Number(/"Shared Hit Blocks":(\d+)/.exec(plan)?.[1])).toBeLessThan(100);
  }
  const second = await store.history.rounds(player, { limit: 50, cursor: first.next ?? '' });
  expect(second).toMatchObject({ kind: 'known', rounds: { length: 50 } });
  await pool.query(
    "UPDATE rgs_wallet.rounds SET state = 'open' WHERE game_round IN ('round 130001', 'round 140000')",
  );
  const open = { state: 'open', limit: 2 } as const;
  const newest = await store.history.rounds(player, open);
  if (newest.kind !== 'known') throw new Error('the rounds must be known');
  expect(newest).toMatchObject({ rounds: [{ gameRound: 'round 140000' }] });
  expect(newest.rounds).toHaveLength(1);
  const older = await store.history.rounds(player, { ...open, cursor: newest.next ?? '' });
  expect(older).toMatchObject({
    rounds: [{ gameRound: 'round 130001' }],
    next: expect.any(String),
  });
  const oldest = await store.history.findRound({ ...player, hash: 'end 1' });
  expect(oldest).toMatchObject({ kind: 'notFound', searched: 10_000 });
  const recent = await store.history.findRound({ ...player, hash: 'end 149000' });
  expect(recent).toMatchObject({ kind: 'found', round: { gameRound: 'round 149000' } });
});

test('a round without records is listed by the time of its state', async () => {
  const url = await postgres().createDatabase();
  const pool = cleanup.after(new Pool({ connectionString: url }));
  const store = cleanup.after(createPostgresStore({ url, init: true, ...patience }));
  await store.ready();
  await pool.query(`INSERT INTO rgs_wallet.rounds (operator_id, player_id, game_round, number, version, state, resume, changed_at,
      started, credited, ended, unanswered, debits_real, debits_bonus, credits_real, credits_bonus, attention)
    VALUES ('op', 'ann', 'old', 1, 1, 'open', 'none', 7, true, 0, 0, 0, 0, 0, 0, 0, false)`);
  const page = await store.history.rounds({ operatorId: 'op', playerId: 'ann' });
  expect(page).toMatchObject({ rounds: [{ gameRound: 'old', openedAt: 7, lastAt: 7 }] });
});
