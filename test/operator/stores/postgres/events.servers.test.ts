import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from '@jest/globals';
import { Pool, type PoolClient } from 'pg';

import { unseenRound } from '../../../../lib/operator/gameround';
import {
  createPostgresStore,
  type PostgresClient,
  type PostgresPool,
} from '../../../../lib/operator/stores/postgres';
import type { RoundEvent, RoundKey } from '../../../../lib/operator/wallet';
import { type Logger, systemClock } from '../../../../lib/platform';
import {
  changeOf,
  end,
  give,
  openingOf,
  real,
  take,
} from '../../../../lib/proof/contracts/changes';
import { seededRandom } from '../../../platform/seeded-random';
import { startPostgres } from '../../../servers/postgres/server';
import { unnamed, unnamedIn } from '../unnamed-consumers';
import { ofRounds } from '../../../../lib/proof/contracts/events/case';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const operatorId = 'op';
const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);
let pool: Pool;
let random = seededRandom(1);

beforeEach(async () => {
  random = seededRandom(42);
  const connectionString = await server().createDatabase();
  pool = cleanup.after(new Pool({ connectionString, max: 24 }));
});

function storeOver(over: PostgresPool, events: readonly string[] = ['a', 'b'], logger?: Logger) {
  const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const observed = logger === undefined ? {} : { logger };
  const store = createPostgresStore({
    pool: over,
    init: true,
    migrate: true,
    events,
    ...patience,
    ...observed,
  });
  return cleanup.after(store);
}

/** The pool; each commit stays open for up to 15 ms, and one in twenty is rolled back instead. */
function hesitating(inner: Pool): PostgresPool {
  const held = new WeakMap<PoolClient, PostgresClient>();
  return {
    on: (...args) => inner.on(args[0] as 'error', args[1]),
    off: (...args) => inner.off(...args),
    end: () => inner.end(),
    async connect() {
      const client = await inner.connect();
      const known = held.get(client);
      if (known !== undefined) return known;
      const made: PostgresClient = {
        async query(statement) {
          if (!statement.text.includes('commit_round')) return client.query(statement);
          await client.query('BEGIN');
          try {
            const result = await client.query(statement);
            await systemClock.pause(random() * 15);
            if (random() < 0.05) {
              throw Object.assign(new Error('rolled back'), { code: '40001', severity: 'ERROR' });
            }
            await client.query('COMMIT');
            return result;
          } catch (error) {
            await client.query('ROLLBACK');
            throw error;
          }
        },
        release: (destroy) => client.release(destroy),
        on: (event, listener) => client.on(event, listener),
        off: (event, listener) => client.off(event, listener),
      };
      held.set(client, made);
      return made;
    },
  };
}

const perRound = 4;

/** Takes, takes, gives and ends: four commits. */
async function playRound(store: ReturnType<typeof storeOver>, round: RoundKey): Promise<void> {
  let before = unseenRound;
  for (const part of [
    take('d', 7n),
    take('m', 5n, { first: false }),
    give('c', real(3n)),
    end('e'),
  ]) {
    const result = await store.rounds.commit(round, changeOf(before, [part]));
    expect(result.kind).toBe('committed');
    const loaded = await store.rounds.load(round, []);
    if (loaded.kind === 'loaded') before = loaded.snapshot.head;
  }
}

/** Reads until stopped; every third batch the reader dies before it acknowledges, and another begins. */
async function readDying(
  store: ReturnType<typeof storeOver>,
  consumer: string,
  signal: AbortSignal,
): Promise<RoundEvent[]> {
  const events: RoundEvent[] = [];
  while (!signal.aborted) {
    for await (const batch of store.events.read({ consumer, operatorId, atMost: 9, signal })) {
      if (random() < 0.33) break;
      if (await batch.done()) events.push(...ofRounds(batch.events));
    }
  }
  return events;
}

test('16 writers that hesitate and roll back, rival readers that die: none lost, none skipped, in order', async () => {
  const writer = storeOver(hesitating(pool));
  const store = storeOver(pool);
  await writer.ready();
  const players = Array.from({ length: 8 }, (_, index) => `player-${index}`);
  for (const playerId of players) {
    await store.players.openPlayer({
      operatorId,
      playerId,
      currency: 'EUR',
      balances: { real: '1000' },
    });
  }
  const stopping = new AbortController();
  const rivals = [1, 2, 3].map(() => readDying(store, 'a', stopping.signal));
  const alone = readDying(store, 'b', stopping.signal);
  const rounds = Array.from({ length: 128 }, (_, index): RoundKey => {
    return { operatorId, playerId: players[index % 8] ?? '', gameRound: `round-${index}` };
  });
  const left = [...rounds];
  const write = async (): Promise<void> => {
    for (let round = left.pop(); round !== undefined; round = left.pop()) {
      await playRound(writer, round);
    }
  };
  await Promise.all(Array.from({ length: 16 }, write));
  for (;;) {
    const lags = await store.events.lag(operatorId);
    if (lags.every(({ waiting }) => waiting === 0)) break;
    await systemClock.pause(20);
  }
  stopping.abort();
  const expected = rounds.flatMap(({ playerId, gameRound }) =>
    [1, 2, 3, 4].map((version) => `${operatorId}/${playerId}/${gameRound}/${version}`),
  );
  const told = (await Promise.all(rivals)).flat().map(({ id }) => id);
  expect(told.toSorted()).toEqual(expected.toSorted());
  const inOrder = await alone;
  expect(inOrder.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
  for (const round of rounds) {
    const own = inOrder.filter(({ gameRound }) => gameRound === round.gameRound);
    expect(own.map(({ version }) => version)).toEqual([1, 2, 3, perRound]);
  }
  for (const playerId of players) {
    let balance = 1000_0000;
    for (const event of inOrder.filter((one) => one.playerId === playerId)) {
      for (const { real: moved } of event.movements) balance += Math.round(Number(moved) * 10_000);
      expect(Math.round(Number(event.accounts?.[0]?.real) * 10_000)).toBe(balance);
    }
    const known = await store.rounds.accounts({ operatorId, playerId });
    expect(known.kind === 'known' && known.accounts?.[0]?.real).toBe(BigInt(balance));
  }
  const { rows } = await pool.query('SELECT count(*)::int AS n FROM rgs_wallet.events');
  expect(rows).toEqual([{ n: 0 }]);
});

test('commits of a player in two currencies and without money, at once: each event has the balances of those before it', async () => {
  const writer = storeOver(hesitating(pool), ['a']);
  await writer.ready();
  const playerId = 'p';
  for (const currency of ['USD', 'EUR', 'GBP']) {
    await writer.players.openPlayer({ operatorId, playerId, currency, balances: { real: '1' } });
  }
  const left = Array.from({ length: 60 }, (_, index) => index);
  const write = async (): Promise<void> => {
    for (let index = left.pop(); index !== undefined; index = left.pop()) {
      const currency = ['EUR', 'USD'][index % 2] ?? '';
      const part = index % 3 === 0 ? end('e') : take('d', 7n, { currency });
      const round = { operatorId, playerId, gameRound: `round-${index}` };
      expect((await writer.rounds.commit(round, openingOf([part]))).kind).toBe('committed');
    }
  };
  await Promise.all(Array.from({ length: 12 }, write));
  const units: Record<string, number> = { EUR: 10_000, GBP: 10_000, USD: 10_000 };
  let count = 0;
  for await (const batch of writer.events.read({ consumer: 'a', operatorId })) {
    const events = ofRounds(batch.events);
    for (const { movements, accounts } of events) {
      for (const { currency, real: moved } of movements) {
        units[currency] = (units[currency] ?? 0) + Math.round(Number(moved) * 10_000);
      }
      const told = accounts?.map((one) => [one.currency, Math.round(Number(one.real) * 10_000)]);
      expect(told).toEqual(Object.entries(units));
    }
    count += events.length;
    await batch.done();
    if (count === 60) break;
  }
});

test('an event whose transaction began first and ended last is not skipped', async () => {
  const store = storeOver(pool);
  await store.ready();
  for (const playerId of ['slow', 'quick']) {
    await store.players.openPlayer({
      operatorId,
      playerId,
      currency: 'EUR',
      balances: { real: '1' },
    });
  }
  const open = await pool.connect();
  await open.query('BEGIN');
  await open.query(
    `INSERT INTO rgs_wallet.events (operator_id, player_id, game_round, version, event)
     VALUES ('op', 'slow', 'r', 1, '["open",null,[],[]]')`,
  );
  const quick = { operatorId, playerId: 'quick', gameRound: 'q' };
  await store.rounds.commit(quick, openingOf([end('e')]));
  const seen: string[] = [];
  const take1 = async (): Promise<void> => {
    for await (const batch of store.events.read({ consumer: 'a', operatorId })) {
      seen.push(...ofRounds(batch.events).map(({ playerId }) => playerId));
      await batch.done();
      return;
    }
  };
  await take1();
  expect(seen).toEqual(['quick']);
  await open.query('COMMIT');
  open.release();
  await take1();
  expect(seen).toEqual(['quick', 'slow']);
});

test('in another cluster everything that is kept comes again', async () => {
  const store = storeOver(pool, ['a', 'b']);
  await store.ready();
  for (const gameRound of ['one', 'two']) {
    await store.rounds.commit({ operatorId, playerId: 'p', gameRound }, openingOf([end('e')]));
  }
  const read = async (): Promise<string[]> => {
    for await (const batch of store.events.read({ consumer: 'a', operatorId })) {
      await batch.done();
      return ofRounds(batch.events).map(({ gameRound }) => gameRound);
    }
    return [];
  };
  expect(await read()).toEqual(['one', 'two']);
  await pool.query("UPDATE rgs_wallet.settings SET value = '1' WHERE name = 'events_cluster'");
  await pool.query(`UPDATE rgs_wallet.events SET tx = '9000000000'`);
  expect(await read()).toEqual(['one', 'two']);
});

test('in another cluster an event is delivered that was never read in the first', async () => {
  const store = storeOver(pool, ['a']);
  await store.ready();
  await store.rounds.commit({ operatorId, playerId: 'p', gameRound: 'one' }, openingOf([end('e')]));
  await pool.query("UPDATE rgs_wallet.settings SET value = '1' WHERE name = 'events_cluster'");
  await pool.query(`UPDATE rgs_wallet.events SET tx = '9000000000'`);
  const restored = storeOver(pool, ['a']);
  await restored.ready();
  const signal = AbortSignal.timeout(30_000);
  const read: string[] = [];
  for await (const { events } of restored.events.read({ consumer: 'a', operatorId, signal })) {
    read.push(...ofRounds(events).map(({ gameRound }) => gameRound));
    break;
  }
  expect(read).toEqual(['one']);
});

test('without a consumer nothing is written, and no statement names an event', async () => {
  const texts: string[] = [];
  const noting: PostgresPool = {
    on: (...args) => pool.on(args[0] as 'error', args[1]),
    off: (...args) => pool.off(...args),
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const query: PostgresClient['query'] = (statement) => {
        texts.push(statement.text);
        return client.query(statement);
      };
      return Object.assign(Object.create(client) as PostgresClient, { query });
    },
  };
  const store = storeOver(noting, []);
  await store.ready();
  texts.length = 0;
  await store.rounds.commit({ operatorId, playerId: 'p', gameRound: 'r' }, openingOf([end('e')]));
  expect(texts.filter((text) => /event/.test(text))).toEqual([]);
  const { rows } = await pool.query('SELECT count(*)::int AS n FROM rgs_wallet.events');
  expect(rows).toEqual([{ n: 0 }]);
});

test('forgetting the last consumer deletes what was kept for it', async () => {
  const store = storeOver(pool, ['a']);
  await store.ready();
  await store.rounds.commit({ operatorId, playerId: 'p', gameRound: 'r' }, openingOf([end('e')]));
  expect(await store.events.lag(operatorId)).toMatchObject([{ consumer: 'a', waiting: 1 }]);
  expect(await store.events.forgetConsumer('a', [operatorId])).toBe(true);
  expect(await store.events.lag(operatorId)).toEqual([]);
  const { rows } = await pool.query('SELECT count(*)::int AS n FROM rgs_wallet.events');
  expect(rows).toEqual([{ n: 0 }]);
});

test('in a database that publishes all tables, the statement of events.md lets acknowledged events be deleted', async () => {
  const store = storeOver(pool, ['a']);
  await store.ready();
  await store.rounds.commit({ operatorId, playerId: 'p', gameRound: 'r' }, openingOf([end('e')]));
  await pool.query('CREATE PUBLICATION everything FOR ALL TABLES');
  await expect(pool.query('DELETE FROM rgs_wallet.events')).rejects.toThrow('replica identity');
  const page = readFileSync(join(__dirname, '../../../../docs/events.md'), 'utf8');
  const [, statement = ''] = /```sql\n(ALTER TABLE [^`]*)```/.exec(page) ?? [];
  await pool.query(statement);
  expect(await store.events.forgetConsumer('a', [operatorId])).toBe(true);
  const { rows } = await pool.query('SELECT count(*)::int AS n FROM rgs_wallet.events');
  expect(rows).toEqual([{ n: 0 }]);
});

test('a store that names none of the declared consumers reports it once a start, and moves money', async () => {
  const { errors, logger } = unnamedIn();
  const store = storeOver(pool, [], logger);
  await store.ready();
  expect(errors).toEqual([]);
  const naming = storeOver(pool, ['b', 'a']);
  await naming.ready();
  expect(await naming.events.declaredConsumers()).toEqual(['a', 'b']);
  await store.ready();
  await store.ready();
  expect(errors).toEqual([unnamed(['a', 'b'])]);
  const round = { operatorId, playerId: 'p', gameRound: 'r' };
  expect((await store.rounds.commit(round, openingOf([end('e')]))).kind).toBe('committed');
  const { rows } = await pool.query('SELECT count(*)::int AS n FROM rgs_wallet.events');
  expect(rows).toEqual([{ n: 0 }]);
});

test('a store that names one of the declared consumers writes events for all, and reports nothing', async () => {
  await storeOver(pool, ['a', 'b']).ready();
  const { errors, logger } = unnamedIn();
  const store = storeOver(pool, ['a'], logger);
  await store.ready();
  await store.rounds.commit({ operatorId, playerId: 'p', gameRound: 'r' }, openingOf([end('e')]));
  expect(errors).toEqual([]);
  expect(await store.events.lag(operatorId)).toMatchObject([{ waiting: 1 }, { waiting: 1 }]);
});
