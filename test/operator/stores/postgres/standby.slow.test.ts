import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';
import { Pool } from 'pg';

import {
  type AccountStore,
  doTransactions,
  StoreUnavailableError,
} from '../../../../lib/operator/wallet';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { systemClock } from '../../../../lib/platform';
import { freshDelivery } from '../../../../lib/proof/subject/runner';
import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';
import { startReplicatedPostgres } from '../../../servers/postgres/replicated';
import { startPostgres } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import { cleanupAfterEach } from '../../../support/each-test';

const GUIDE = join(__dirname, '../../../../docs/operations/postgres.md');
const ann = { operatorId: 'op', playerId: 'ann', currency: 'EUR' };
const cleanup = cleanupAfterEach();

function open(url: string, init = false): AccountStore {
  const store = createPostgresStore({ url, init, connectTimeoutMs: 500, commandTimeoutMs: 500 });
  return cleanup.after(store);
}

test('a standby is not taken for the server that keeps the money, until it is promoted', async () => {
  const primary = cleanup.after(await startPostgres());
  const standby = cleanup.after(await startPostgres({ standbyOf: primary }));
  const writing = open(primary.url, true);
  await writing.ready();
  await writing.players.openPlayer({ ...ann, balances: { real: '12' } });
  const admin = cleanup.after(new Pool({ connectionString: standby.url }));
  await until('the player to arrive', async () => {
    const { rowCount } = await admin.query('SELECT FROM rgs_wallet.accounts');
    return rowCount === 1;
  });

  const store = open(standby.url);
  const refused = await store.ready().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreUnavailableError);
  expect(String(refused)).toContain('the server is a standby');
  // Also what only reads is not asked of it: it may be behind.
  expect(await store.rounds.accounts(ann)).toMatchObject({ kind: 'unknown' });
  expect(await store.rounds.load({ ...ann, gameRound: 'r' }, [])).toMatchObject({
    kind: 'unknown',
  });

  await primary.stop();
  await admin.query('SELECT pg_promote()');
  await store.ready();
  expect(await store.rounds.accounts(ann)).toMatchObject({ accounts: [{ real: 120_000n }] });
  const deposit = { ...ann, amount: '1', reference: 'after' };
  expect(await store.players.deposit(deposit)).toMatchObject({ kind: 'done', replay: false });
});

test('with two standbys of which one must confirm, the loss of one is no outage, and the guide says how to end that of both', async () => {
  const guide = await readFile(GUIDE, 'utf8');
  const [, quorum = ''] = /^(synchronous_standby_names = '[^']+')/m.exec(guide) ?? [];
  const [, wayOut = ''] = /`(ALTER SYSTEM SET synchronous_standby_names = '')`/.exec(guide) ?? [];
  const primary = cleanup.after(await startPostgres());
  const admin = cleanup.after(new Pool({ connectionString: primary.url }));
  const follow = async (name: string) =>
    cleanup.after(await startPostgres({ standbyOf: primary, settings: { cluster_name: name } }));
  const standbys = [await follow('a'), await follow('b')];
  const writing = open(primary.url, true);
  await writing.ready();
  await writing.players.openPlayer({ ...ann, balances: { real: '12' } });
  const deposit = async (reference: string) =>
    (await writing.players.deposit({ ...ann, amount: '1', reference })).kind;

  await admin.query(`ALTER SYSTEM SET ${quorum}`);
  await admin.query('SELECT pg_reload_conf()');
  await until('both standbys to count', async () => {
    const { rowCount } = await admin.query(
      "SELECT FROM pg_stat_replication WHERE sync_state = 'quorum' AND state = 'streaming'",
    );
    return rowCount === 2;
  });
  expect(await deposit('with both')).toBe('done');
  await standbys[0]?.kill9();
  expect(await deposit('with one')).toBe('done');
  await standbys[1]?.kill9();
  await until('the primary to notice', async () => {
    const { rowCount } = await admin.query('SELECT FROM pg_stat_replication');
    return rowCount === 0;
  });
  expect(await deposit('with none')).toBe('unknown');

  await admin.query(wayOut);
  await admin.query('SELECT pg_reload_conf()');
  await until('the deposit to be there', async () => (await deposit('with none')) === 'done');
  expect(await writing.rounds.accounts(ann)).toMatchObject({ accounts: [{ real: 150_000n }] });
});

test('a bet, a win, a deposit or a new player that no standby has is not answered as done, also after a restart of the primary', async () => {
  const pair = cleanup.after(await startReplicatedPostgres());
  const store = open(await pair.primary.createDatabase(), true);
  await store.ready();
  await store.players.openPlayer({ ...ann, balances: { real: '12' } });
  const usual = { currency: 'EUR', amount: 5n, serial: null } as const;
  const debit = { type: 'debit', hash: 'd', ...usual, discount: 0n, isFirstDebit: true } as const;
  const send = (transaction: Transaction, playerId = 'ann') => {
    const round = { operatorId: 'op', playerId, gameRound: 'r' };
    const call = { playerId, gameRound: 'r', gameCode: 'game', transactions: [transaction] };
    return doTransactions(round, call, freshDelivery(), {
      rounds: store.rounds,
      clock: systemClock,
      policy: { useBonusFirst: false, creditTo: 'real' },
      deadlineMs: 1_000,
    });
  };
  const win = { type: 'credit', hash: 'c', ...usual } as const;
  const freePlay = { ...debit, amount: 0n, serial: 'f' }; // moves no money, and so locks no account
  const bob = { ...ann, playerId: 'bob' };
  for (const playerId of ['bob', 'eve'])
    await store.players.openPlayer({ ...ann, playerId, balances: { real: '12' } });
  const openKim = () =>
    store.players.openPlayer({ ...ann, playerId: 'kim', balances: { real: '12' } });
  const deposit = () => store.players.deposit({ ...bob, amount: '3', reference: 'd-1' });
  expect((await send(debit)).verdicts).toMatchObject([{ outcome: 'processed' }]);

  await pair.standby.pause();
  expect((await send(win)).unknown).not.toBeNull();
  expect((await send(freePlay, 'eve')).unknown).not.toBeNull();
  expect(await deposit()).toMatchObject({ kind: 'unknown' });
  expect(await openKim()).toMatchObject({ kind: 'unknown' });
  await pair.primary.kill9();
  await pair.primary.restart(); // and what it wrote can be read, though the standby lacks it
  await until('all of it to be read', async () => {
    const players = ['ann', 'bob', 'eve', 'kim'];
    const read = await Promise.all(
      players.map((playerId) => store.rounds.accounts({ ...ann, playerId })),
    );
    const reals = read.map((one) => (one.kind === 'known' ? one.accounts?.[0]?.real : null));
    return reals.join() === '120000,150000,120000,120000';
  });
  expect((await send(win)).unknown).not.toBeNull();
  expect((await send(freePlay, 'eve')).unknown).not.toBeNull();
  expect(await deposit()).toMatchObject({ kind: 'unknown' });
  expect(await openKim()).toMatchObject({ kind: 'unknown' });

  await pair.standby.resume();
  await pair.inStep();
  await until('the win to be answered', async () => (await send(win)).unknown === null);
  expect((await send(win)).verdicts).toMatchObject([{ outcome: 'processed', replay: true }]);
  expect(await deposit()).toMatchObject({ kind: 'done', replay: true });
  expect((await send(freePlay, 'eve')).unknown).toBeNull();
  expect(await openKim()).toMatchObject({ kind: 'existed' });
});
