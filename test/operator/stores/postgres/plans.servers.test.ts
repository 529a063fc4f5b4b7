import { beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { type AccountStore, doTransactions } from '../../../../lib/operator/wallet';
import { systemClock } from '../../../../lib/platform';
import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';
import { freshDelivery } from '../../../../lib/proof/subject/runner';
import { startPostgres } from '../../../servers/postgres/server';
import { patience } from '../../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
const cleanup = cleanupAfterEach();
const server = serverOfFile(() => startPostgres({ settings: { autovacuum: 'off' } }));
let pool: Pool;
let store: AccountStore;

beforeEach(async () => {
  const connectionString = await server().createDatabase();
  pool = cleanup.after(new Pool({ connectionString, max: 1 }));
  const made = createPostgresStore({ ...patience, pool, init: true });
  store = cleanup.after(made);
  await store.ready();
  await store.players.openPlayer({ ...player, balances: { real: { units: 1_000_000n } } });
});

/** How often an index was used so far, by the one connection of the pool. */
async function scansOf(index: string): Promise<number> {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ scans: string }>(
    'SELECT idx_scan AS scans FROM pg_stat_user_indexes WHERE indexrelname = $1',
    [index],
  );
  return Number(rows[0]?.scans);
}

async function call(gameRound: string, transactions: readonly Transaction[]): Promise<void> {
  const round = { operatorId: 'op', playerId: 'p', gameRound };
  const asked = { playerId: 'p', gameRound, gameCode: 'game', transactions };
  const outcome = await doTransactions(round, asked, freshDelivery(), {
    rounds: store.rounds,
    clock: systemClock,
    policy: { useBonusFirst: false, creditTo: 'real' },
    deadlineMs: patience.commandTimeoutMs,
  });
  expect(outcome.verdicts.map((one) => one.outcome)).toEqual(transactions.map(() => 'processed'));
}

test('a call finds its round by its key, also with plans from when the store was empty', async () => {
  const usual = { currency: 'EUR', amount: 5n, serial: null } as const;
  const debit = { type: 'debit', hash: 'd', ...usual, discount: 0n, isFirstDebit: true } as const;
  const credit = { type: 'credit', hash: 'c', ...usual } as const;
  const order = { type: 'void', hash: 'd', currency: null, amount: null } as const;
  // A plan is kept from the sixth execution on.
  for (let number = 0; number < 10; number += 1) {
    await call(`played ${number}`, [debit]);
    await call(`played ${number}`, [credit, { type: 'end', hash: 'e' }]);
    await call(`voided ${number}`, [debit]);
    await call(`voided ${number}`, [order]);
    await call(`open ${number}`, [debit]);
  }
  // A new round looks for the latest number, and whether its own is free.
  expect([await scansOf('rounds_by_player'), await scansOf('rounds_open')]).toEqual([60, 0]);
  await store.history?.rounds({ operatorId: 'op', playerId: 'p' }, { limit: 5 });
  for await (const _ of store.lists.openRounds?.('op', Date.now() + 1000) ?? []) break;
  expect([await scansOf('rounds_by_player'), await scansOf('rounds_open')]).toEqual([61, 1]);
});
