import { beforeEach, describe, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import type { FollowUp } from '../../../../lib/operator/gameround/follow-up';
import {
  createPostgresStore,
  type PostgresStoreOptions,
} from '../../../../lib/operator/stores/postgres';
import { booksDifference, type FollowResult, type RoundKey } from '../../../../lib/operator/wallet';
import { snapshotOf } from '../../../../lib/proof/contracts/case';
import {
  changeOf,
  debitRecord,
  give,
  note,
  openingOf,
  real,
  take,
  takeMore,
} from '../../../../lib/proof/contracts/changes';
import { followUpOf } from '../../../../lib/proof/contracts/follow-up/case';
import { startPostgres } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p' };
const round: RoundKey = { ...player, gameRound: 'r' };
const cleanup = cleanupAfterEach();
const server = serverOfFile(() => startPostgres({ settings: { deadlock_timeout: '10ms' } }));
let url: string;
let pool: Pool;
let store: ReturnType<typeof createPostgresStore>;

beforeEach(async () => {
  url = await server().createDatabase();
  pool = cleanup.after(new Pool({ connectionString: url }));
});

/** What a follow-up writes beside the round and the account: with any of it, a commit inside writes all. */
const ways: readonly [string, Partial<PostgresStoreOptions>][] = [
  ['alone', {}],
  ['with its event and the balances after it', { events: ['books'], history: true }],
];

async function open(more: Partial<PostgresStoreOptions>): Promise<void> {
  const options = { ...patience, url, init: true, ...more };
  store = cleanup.after(createPostgresStore(options));
  await store.ready();
  for (const currency of ['EUR', 'USD']) {
    const balances = { real: { units: 1000n } };
    await store.players.openPlayer({ ...player, currency, balances });
  }
  await store.rounds.commit(round, openingOf([take('d', 10n)]));
}

async function follow(followUp: FollowUp, on = round): Promise<FollowResult> {
  if (store.rounds.follow === undefined) throw new Error('The store has no follow.');
  return store.rounds.follow(on, followUp);
}

/** Holds the player, as a commit with an event does, and the accounts, until what it hands back is called. */
async function holdPlayer(): Promise<() => Promise<void>> {
  const holder = await pool.connect();
  const { operatorId, playerId } = player;
  await holder.query('BEGIN');
  await holder.query('SELECT rgs_wallet.hold_player($1, $2)', [operatorId, playerId]);
  await holder.query('SELECT FROM rgs_wallet.accounts FOR UPDATE');
  return async () => {
    await holder.query('ROLLBACK');
    holder.release(true);
  };
}

async function waiting(): Promise<number> {
  const query = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await pool.query(query)).rows.length;
}

async function balance(): Promise<bigint | undefined> {
  const result = await store.rounds.accounts(player);
  const accounts = result.kind === 'known' ? result.accounts : null;
  return accounts?.find(({ currency }) => currency === 'EUR')?.real;
}

describe.each(ways)('a follow-up written %s', (_way, more) => {
  beforeEach(() => open(more));

  test('a follow-up that has waited does not overrule the mark that came meanwhile (D7)', async () => {
    const letGo = await holdPlayer();
    const following = follow(followUpOf([takeMore('e', 20n)]));
    await until('the follow-up to wait', async () => (await waiting()) === 1);
    // A store without consumers holds nothing for a commit that moves nothing.
    const plain = cleanup.after(createPostgresStore({ ...patience, url }));
    const unanswered = note('e', debitRecord(20n, { first: false, outcome: 'unanswered' }));
    const cancelled = { state: 'cancelled', resume: 'open', unanswered: 1 } as const;
    const { head } = await snapshotOf(plain, round);
    const marking = await plain.rounds.commit(round, changeOf(head, [unanswered], cancelled));
    expect(marking.kind).toBe('committed');
    await letGo();
    const { entries } = await snapshotOf(store, round, ['e']);
    const snapshot = { head: { state: 'cancelled', version: 2 }, entries };
    expect(await following).toMatchObject({ kind: 'other', snapshot });
    expect(await balance()).toBe(990n);
  });

  test('copies of one follow-up that wait together are written once', async () => {
    const letGo = await holdPlayer();
    const followUp = followUpOf([takeMore('e', 20n), give('c', real(3n))]);
    const copies = [follow(followUp), follow(followUp)];
    await until('both to wait', async () => (await waiting()) === 2);
    await letGo();
    const kinds = (await Promise.all(copies)).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['committed', 'other']);
    expect(await balance()).toBe(973n);
  });

  test('follow-ups, commits, cash and blocks of one player never deadlock, and the books are right', async () => {
    const other = { ...player, gameRound: 'other' };
    await store.rounds.commit(other, openingOf([take('d', 10n)]));
    const work = Array.from({ length: 120 }, (_, at) => async () => {
      const on = at % 2 === 0 ? round : other;
      const parts = [takeMore(`e${at}`, 2n), give(`c${at}`, real(1n))];
      if (at % 5 === 0) {
        const { head } = await snapshotOf(store, on);
        await store.rounds.commit(on, changeOf(head, parts, { credited: head.credited + 1 }));
      } else if (at % 7 === 0) {
        await store.players.deposit({
          ...player,
          currency: 'USD',
          amount: '1',
          reference: `${at}`,
        });
      } else if (at % 11 === 0) await store.players.setBlocked(player, false);
      else await follow(followUpOf(parts), on);
    });
    await Promise.all(work.map((one) => one()));
    const heads = await Promise.all([round, other].map((one) => snapshotOf(store, one)));
    const moved = heads.map(({ head }) => head.credits.real - head.debits.real);
    expect(await balance()).toBe(moved.reduce((sum, one) => sum + one, 1000n));
    expect(moved.every((one) => one < -10n)).toBe(true);
    let seen = 0;
    for await (const books of store.players.books?.() ?? []) {
      expect(booksDifference(books)).toEqual(real(0n));
      seen += 1;
    }
    expect(seen).toBe(2);
    await store.close();
    const others = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await until('the sessions to end', async () => (await pool.query(others)).rows.length === 0);
    const { rows } = await pool.query<{ deadlocks: string }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(rows).toEqual([{ deadlocks: '0' }]);
  });
});

test('a follow-up that has waited finds what was recorded of its hash meanwhile', async () => {
  await open({ events: ['books'] }); // a commit without money waits for the player where it writes an event
  const { head } = await snapshotOf(store, round);
  const letGo = await holdPlayer();
  const recording = store.rounds.commit(
    round,
    changeOf(head, [note('e', debitRecord(20n, { first: false, outcome: 'BALANCETOOLOW' }))]),
  );
  await until('the record to wait', async () => (await waiting()) === 1);
  const following = follow(followUpOf([takeMore('e', 20n)]));
  await until('the follow-up to wait', async () => (await waiting()) === 2);
  await letGo();
  const kinds = [(await recording).kind, (await following).kind].toSorted();
  const { entries } = await snapshotOf(store, round, ['e']);
  const isFollowed = entries.get('e')?.transaction?.outcome === 'accepted';
  expect(kinds).toEqual(isFollowed ? ['committed', 'stale'] : ['committed', 'other']);
  expect(await balance()).toBe(isFollowed ? 970n : 990n);
});

test('a commit that has waited for another that opens its round tells of the round as it is then', async () => {
  await open({});
  const other = { ...player, gameRound: 'other' };
  const letGo = await holdPlayer();
  const change = openingOf([take('d', 20n)]);
  const copies = [1, 2].map(() => store.rounds.commit(other, change, ['d']));
  await until('both to wait', async () => (await waiting()) === 2);
  await letGo();
  const results = await Promise.all(copies);
  expect(results.map(({ kind }) => kind).toSorted()).toEqual(['committed', 'stale']);
  const snapshot = await snapshotOf(store, other, ['d']);
  expect(results.find(({ kind }) => kind === 'stale')).toEqual({ kind: 'stale', snapshot });
});
