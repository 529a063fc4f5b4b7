import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { unseenRound } from '../../../lib/operator/gameround';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { StoreOptions } from '../../../lib/operator/stores/store-options';
import type { RoundEvent, RoundKey, FullStore } from '../../../lib/operator/wallet';
import type { Logger } from '../../../lib/platform';
import { changeOf, end, give, openingOf, real, take } from '../../../lib/proof/contracts/changes';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { until } from '../../servers/until';
import { patience } from '../../support/patience';
import { ofRounds } from '../../../lib/proof/contracts/events/case';
import { cleanupAfterEach } from '../../support/each-test';

type Store = FullStore;

const operatorId = 'op';
const player = { operatorId, playerId: 'p' };
const cleanup = cleanupAfterEach();
let redis: RedisServer;
let postgres: PostgresServer;
let made = 0;

beforeAll(async () => {
  [redis, postgres] = [await startRedis(), await startPostgres()];
});

afterAll(async () => {
  await redis.stop();
  await postgres.stop();
});

type Options = StoreOptions & { readonly logger?: Logger };

const stores: Readonly<Record<string, (options: Options) => Promise<Store>>> = {
  memory: async ({ events = [], retentionMs = 1 }) => createMemoryStore({ events, retentionMs }),
  Redis: async (options) => {
    const where = { url: redis.url, namespace: `rgs-${made++}`, init: true };
    return createRedisStore({ ...patience, ...options, ...where });
  },
  PostgreSQL: async (options) => {
    const url = await postgres.createDatabase();
    return createPostgresStore({ ...patience, ...options, url, init: true });
  },
};

async function storeOf(name: string, options: Options): Promise<Store> {
  const store = await stores[name]?.(options);
  if (store === undefined) throw new Error(`there is no ${name}`);
  cleanup.after(store);
  await store.ready();
  await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '1' } });
  return store;
}

/** A round of two commits: it takes 7 units, gives 3, and is closed. */
async function play(store: Store, gameRound: string): Promise<RoundKey> {
  const round = { ...player, gameRound };
  expect(await store.rounds.commit(round, openingOf([take('d', 7n)]))).toMatchObject({
    kind: 'committed',
  });
  const loaded = await store.rounds.load(round, []);
  const before = loaded.kind === 'loaded' ? loaded.snapshot.head : unseenRound;
  const change = changeOf(before, [give('c', real(3n)), end('e')], { state: 'closed' });
  expect(await store.rounds.commit(round, change)).toMatchObject({ kind: 'committed' });
  return round;
}

/** Every event that waits, acknowledged. */
async function readAll(store: Store): Promise<RoundEvent[]> {
  const events: RoundEvent[] = [];
  const waits = async () => (await store.events.lag(operatorId))[0]?.waiting ?? 0;
  if ((await waits()) === 0) return events;
  for await (const batch of store.events.read({ consumer: 'archive', operatorId })) {
    events.push(...ofRounds(batch.events));
    await batch.done();
    if ((await waits()) === 0) break;
  }
  return events;
}

test.each(Object.keys(stores))(
  'in %s a round whose retention is over is still delivered whole, each version, to a consumer that comes late',
  async (name) => {
    const store = await storeOf(name, { events: ['archive'], retentionMs: 100 });
    const round = await play(store, 'r');
    await until(
      'the retention to be over',
      async () => (await store.rounds.readRound(round)) === null,
    );
    await play(store, 'next'); // at the latest now it is deleted
    const events = (await readAll(store)).filter(({ gameRound }) => gameRound === 'r');
    expect(events.map(({ version, state }) => [version, state])).toEqual([
      [1, 'open'],
      [2, 'closed'],
    ]);
    const hashes = events.map(({ transactions }) => transactions.map(({ hash }) => hash));
    expect(hashes).toEqual([['d'], ['c', 'e']]);
    const moved = events.flatMap(({ movements }) => movements.map((one) => one.real));
    expect(moved).toEqual(['-0.0007', '0.0003']);
  },
);

describe.each(['Redis', 'PostgreSQL'])('a consumer of %s that does not come', (name) => {
  const lines: string[] = [];
  const note = (_: object, text: string): void => void lines.push(text);
  const logger: Logger = { info: note, warn: note, error: note };
  const isOver = 'too many events wait for a consumer: only pointers to the rounds are written';
  const isUnder = 'events are written with their content again';

  /** Plays rounds until the log has the line. */
  async function playUntil(store: Store, line: string): Promise<void> {
    for (let turn = 0; !lines.includes(line); turn++) await play(store, `${line} ${turn}`);
  }

  test('gets pointers behind the limit, with their rounds, and content again once it has come', async () => {
    lines.length = 0;
    const store = await storeOf(name, { events: ['archive'], eventsLimit: 5, logger });
    await playUntil(store, isOver);
    const pointed = await play(store, 'pointed');
    const events = await readAll(store);
    const whole = events.filter(({ round }) => round === undefined);
    // The limit counts the event of the player's first deposit too.
    expect(whole.length).toBeGreaterThanOrEqual(4);
    expect(whole.every(({ transactions }) => transactions.length > 0)).toBe(true);
    const own = events.filter(({ gameRound }) => gameRound === 'pointed');
    const json = (await store.rounds.readRound(pointed))?.toJSON();
    expect(own.map(({ id, version, state, round }) => ({ id, version, state, round }))).toEqual([
      { id: 'op/p/pointed/1', version: 1, state: 'open', round: json },
      { id: 'op/p/pointed/2', version: 2, state: 'closed', round: json },
    ]);
    expect(own.map((event) => [event.transactions, event.movements, event.accounts])).toEqual([
      [[], [], null],
      [[], [], null],
    ]);
    // The store looks beside the calls: a look that began before may still see what has been read since.
    for (let last: RoundEvent | undefined = own[0]; last?.round !== undefined; ) {
      await play(store, `content ${made++}`);
      last = (await readAll(store)).at(-1);
      expect(last?.state).toBe('closed');
    }
    const changes = lines.filter((line) => line === isOver || line === isUnder);
    expect(changes.slice(0, 2)).toEqual([isOver, isUnder]);
  });

  test('finds a pointer without its round where twice the retention is over', async () => {
    lines.length = 0;
    const retentionMs = 1500;
    const store = await storeOf(name, { events: ['archive'], eventsLimit: 3, retentionMs, logger });
    await playUntil(store, isOver);
    const startedAt = performance.now();
    const pointed = await play(store, 'pointed');
    await until(
      'the round to be gone',
      async () => (await store.rounds.readRound(pointed)) === null,
    );
    expect(performance.now() - startedAt).toBeGreaterThan(1.9 * retentionMs);
    const events = (await readAll(store)).filter(({ gameRound }) => gameRound === 'pointed');
    expect(events.map(({ version, round }) => [version, round])).toEqual([
      [1, null],
      [2, null],
    ]);
  });
});
