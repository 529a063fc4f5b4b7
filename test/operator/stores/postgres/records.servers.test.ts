import { beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import {
  type Movement,
  type NewRecord,
  type RoundHead,
  unseenRound,
} from '../../../../lib/operator/gameround';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import type { AccountStore, RoundKey } from '../../../../lib/operator/wallet';
import { startPostgres } from '../../../servers/postgres/server';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const round: RoundKey = { operatorId: 'op', playerId: 'p', gameRound: 'r' };
const head: RoundHead = { ...unseenRound, version: 1, state: 'open' };
const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);
let pool: Pool;
let store: AccountStore;

beforeEach(async () => {
  const url = await server().createDatabase();
  pool = cleanup.after(new Pool({ connectionString: url }));
  store = cleanup.after(createPostgresStore({ url, init: true, commandTimeoutMs: 60_000 }));
  await store.ready();
});

function debit(hash: string, outcome: 'accepted' | 'unanswered', units = 0n): NewRecord {
  const shared = { currency: 'EUR', amount: 10n, discount: 0n, first: true, serial: null, at: 5 };
  return {
    hash,
    record: {
      type: 'debit',
      ...shared,
      outcome,
      delivery: 'Ab-_',
      behind: [],
      fingerprints: [],
      purse: { real: units, bonus: 0n },
    },
  };
}

function voidOf(hash: string): NewRecord {
  return {
    hash,
    record: { type: 'void', purse: { real: 4n, bonus: -3n }, at: 6, fingerprints: [] },
  };
}

function take(hash: string, bonusFirst: boolean): Movement {
  return { kind: 'take', hash, currency: 'EUR', amount: 10n, bonusFirst };
}

async function write(before: RoundHead, records: readonly NewRecord[]): Promise<void> {
  const after: RoundHead = { ...before, version: before.version + 1, state: 'open' };
  const result = await store.rounds.commit(round, { before, after, records, movements: [] });
  expect(result.kind).toBe('committed');
}

/** The entries of hashes by a load of them, and by a reading of the whole round. */
async function told(...hashes: string[]): Promise<unknown[]> {
  const loaded = await store.rounds.load(round, hashes);
  const report = await store.rounds.readRound(round);
  const maps = [loaded.kind === 'loaded' ? loaded.snapshot.entries : null, report?.entries];
  return maps.map((entries) => hashes.map((hash) => entries?.get(hash)));
}

async function rowsOfRecords(): Promise<number> {
  return (await pool.query('SELECT FROM rgs_wallet.records')).rows.length;
}

test('the few records of the call that opens a round need no row of their own', async () => {
  const records = [debit('d', 'accepted', 7n), voidOf('d'), voidOf('other')];
  await write(unseenRound, records);
  expect(await rowsOfRecords()).toBe(0);
  const entries = [
    { transaction: records[0]?.record, void: records[1]?.record },
    { void: records[2]?.record },
  ];
  expect(await told('d', 'other')).toEqual([entries, entries]);
  const loaded = await store.rounds.load(round, ['other', 'unknown']);
  expect(loaded.kind === 'loaded' && [...loaded.snapshot.entries.keys()]).toEqual(['other']);
});

test('a record that is written again counts as it was written last, wherever it was before', async () => {
  await write(unseenRound, [debit('d', 'accepted', 7n), voidOf('d')]);
  await write(head, [debit('d', 'unanswered'), debit('e', 'accepted')]);
  await write({ ...head, version: 2 }, [debit('e', 'unanswered')]);
  const entries = [
    { transaction: debit('d', 'unanswered').record, void: voidOf('d').record },
    { transaction: debit('e', 'unanswered').record },
  ];
  expect(await told('d', 'e')).toEqual([entries, entries]);
});

test.each([
  ['many', Array.from({ length: 9 }, (_, at) => `d${at}`)],
  ['long', Array.from({ length: 8 }, (_, at) => `${at}`.repeat(128))],
])('of a round that is opened with %s records the row stays small', async (_, hashes) => {
  await write(
    unseenRound,
    hashes.map((hash) => debit(hash, 'accepted', 7n)),
  );
  expect(await rowsOfRecords()).toBe(hashes.length);
  const entries = hashes.map((hash) => ({ transaction: debit(hash, 'accepted', 7n).record }));
  expect(await told(...hashes)).toEqual([entries, entries]);
});

test('what a debit took is its own, in the round as in a row, and whichever balance paid', async () => {
  const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
  await store.players.openPlayer({
    ...player,
    balances: { real: { units: 25n }, bonus: { units: 15n } },
  });
  const records = [debit('a', 'accepted'), debit('b', 'accepted')];
  const movements = [take('a', true), take('b', true)];
  const opened = await store.rounds.commit(round, {
    before: unseenRound,
    after: head,
    records,
    movements,
  });
  expect(opened.kind).toBe('committed');
  const after = { ...head, version: 2, debits: { real: 5n, bonus: 15n } };
  const more = [debit('c', 'accepted'), debit('d', 'accepted')];
  const taken = [take('c', false), take('d', false)];
  const change = { before: head, after, records: more, movements: taken };
  expect(await store.rounds.commit(round, change)).toEqual({
    kind: 'committed',
    accounts: [{ currency: 'EUR', real: 0n, bonus: 0n }],
  });
  const report = await store.rounds.readRound(round);
  const purses = ['a', 'b', 'c', 'd'].map((hash) => report?.entries.get(hash)?.transaction);
  expect(purses).toMatchObject([
    { purse: { real: 0n, bonus: 10n } },
    { purse: { real: 5n, bonus: 5n } },
    { purse: { real: 10n, bonus: 0n } },
    { purse: { real: 10n, bonus: 0n } },
  ]);
  expect(report?.head.debits).toEqual({ real: 25n, bonus: 15n });
});
