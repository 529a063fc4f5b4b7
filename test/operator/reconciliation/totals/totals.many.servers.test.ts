import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { type RunningTotals, startTotals } from '../../../../lib/index';
import { readTotals } from '../../../../lib/operator/reconciliation/totals/sums';
import { quarterOf, ZoneDays } from '../../../../lib/operator/reconciliation/rounds/zone-days';
import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import {
  type FullStore,
  StoreUnavailableError,
  type Totals,
  type TotalsName,
  type WalletEvent,
} from '../../../../lib/operator/wallet';
import { systemClock } from '../../../../lib/platform';
import { seededRandom } from '../../../platform/seeded-random';
import { Cleanup } from '../../../servers/cleanup';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { runs } from '../../../support/runs';
import { testSeed } from '../../../support/seed';
import { cellsOf, textOf, trueRounds, unitsOf } from './brute-force';
import { operatorId, RandomPlay, SpanClock } from './random-play';

const cleanup = new Cleanup();
let redis: RedisServer;
let postgres: PostgresServer;

beforeAll(async () => {
  [redis, postgres] = [await startRedis(), await startPostgres()];
});

afterEach(() => cleanup.run());

afterAll(async () => {
  await redis.stop();
  await postgres.stop();
});

/** The clocks change in Malta and New York within these days. */
const begin = Date.parse('2026-10-24T20:00:00Z');
const count = runs(10_000, 200);
const stepMs = (4 * 86_400_000) / count;
const zones = ['UTC', 'Asia/Kathmandu', 'America/New_York'];

interface Made {
  readonly store: FullStore;
  /** A second one over the same data, as another process has it. */
  readonly other: FullStore;
}

/** In Redis, the client fails at times between the two steps of counting: after the totals, before the cursors. */
function carelessClient(random: () => number): Redis {
  const client = new Redis(redis.url, { maxRetriesPerRequest: null });
  const call = client.call.bind(client) as (...sent: unknown[]) => Promise<unknown>;
  const careless = (...sent: unknown[]): Promise<unknown> =>
    sent[1] === scripts.advanceEvents.sha && random() < 0.2
      ? Promise.reject(new Error('killed'))
      : call(...sent);
  Object.assign(client, { call: careless });
  cleanup.after(client, (one) => one.quit());
  return client;
}

type MoreOptions = { readonly clock: SpanClock; readonly eventsLimit?: number };

const makers: Readonly<
  Record<string, (events: string[], more: MoreOptions, random: () => number) => Promise<Made>>
> = {
  memory: async (events, { clock }) => {
    const store = createMemoryStore({ events, clock });
    return { store, other: store };
  },
  Redis: async (events, more, random) => {
    const namespace = `totals-${more.eventsLimit ?? 'whole'}`;
    const options = { ...patience, ...more, events, init: true, namespace } as const;
    return {
      store: createRedisStore({ ...options, client: carelessClient(random) }),
      other: createRedisStore({ ...options, url: redis.url }),
    };
  },
  PostgreSQL: async (events, { eventsLimit }) => {
    const options = { ...patience, events, init: true, url: await postgres.createDatabase() };
    const limited = eventsLimit === undefined ? options : { ...options, eventsLimit };
    const store = createPostgresStore(limited);
    await store.ready();
    return { store, other: createPostgresStore(limited) };
  },
};

/** Totals of a process that is killed at times: before it counts a page, or before it knows that it has. */
function killedAtTimes(totals: Totals, random: () => number): Totals {
  const killed = (): StoreUnavailableError => new StoreUnavailableError('killed');
  return {
    ...totals,
    async *batches(request) {
      for await (const batch of totals.batches({
        ...request,
        atMost: 1 + Math.floor(random() * 60),
      })) {
        yield {
          events: batch.events,
          async add(change) {
            if (random() < 0.1) throw killed();
            const isAdded = await batch.add(change);
            if (random() < 0.1) throw killed();
            return isAdded;
          },
        };
      }
    },
  };
}

async function auditOf(store: FullStore, signal: AbortSignal, seen: WalletEvent[]): Promise<void> {
  for await (const batch of store.events.read({
    consumer: 'audit',
    operatorId,
    atMost: 500,
    signal,
  })) {
    if (await batch.done()) seen.push(...batch.events);
  }
}

async function isCounted(store: FullStore): Promise<boolean> {
  return (await store.events.lag(operatorId)).every(({ waiting }) => waiting === 0);
}

/** Sums over all rows, by currency. */
async function sumsOf(
  store: FullStore,
  by: string,
  [from, to]: readonly [number, number],
): Promise<Map<string, Map<TotalsName, bigint>>> {
  const sums = new Map<string, Map<TotalsName, bigint>>();
  for (const row of (await store.totals.read(operatorId, from, to)).rows) {
    if (row.by !== by) continue;
    const named = sums.get(row.currency) ?? new Map<TotalsName, bigint>();
    sums.set(row.currency, named);
    for (const [name, units] of Object.entries(row.sums) as [TotalsName, bigint][]) {
      named.set(name, (named.get(name) ?? 0n) + units);
    }
  }
  return sums;
}

async function balances(store: FullStore): Promise<Map<string, bigint>> {
  const sums = new Map<string, bigint>();
  for await (const { currency, balance } of store.players.books()) {
    sums.set(currency, (sums.get(currency) ?? 0n) + balance.real + balance.bonus);
  }
  return sums;
}

async function checkBooks(store: FullStore, span: readonly [number, number]): Promise<void> {
  const [own, start] = [await sumsOf(store, 'own', span), await sumsOf(store, 'start', span)];
  const held = await balances(store);
  expect(held.size).toBeGreaterThan(0);
  for (const [currency, balance] of held) {
    const cash = (name: TotalsName): bigint => own.get(currency)?.get(name) ?? 0n;
    const played = (name: TotalsName): bigint => start.get(currency)?.get(name) ?? 0n;
    const moved = cash('cashIn') - cash('cashOut') + cash('corrected') + cash('repaired');
    expect([currency, moved - played('bet') + played('win')]).toEqual([currency, balance]);
    for (const name of ['Games', 'FreePlays', 'Bet', 'Win'] as const) {
      expect(played(`back${name}`)).toBe(played(`voided${name}`));
    }
  }
}

async function checkDays(
  store: FullStore,
  clock: SpanClock,
  events: readonly WalletEvent[],
  attributions: readonly ('start' | 'end')[],
): Promise<void> {
  const rounds = await trueRounds(store, events);
  expect(rounds.length).toBeGreaterThan(count / 2);
  for (const name of zones) {
    const zone = new ZoneDays(name);
    const to = new Date(Math.max(clock.now(), Date.now()) + 86_400_000).toISOString().slice(0, 10);
    const from = new Date(Math.min(begin, Date.now()) - 86_400_000).toISOString().slice(0, 10);
    const now = clock.now();
    const question = { operatorId, from, to, zones: [zone], now, factor: 1n };
    const { sums, coverage } = await readTotals(store, question);
    for (const by of attributions) {
      const counting = { zone: name, by, voids: 'restated', freePlays: 'counted' } as const;
      const cells = sums.cells(counting, zone, new Set(coverage.days), true);
      const ours = [...cells].map(([key, one]) => [key, [one.games, one.bet, one.win]] as const);
      expect([name, by, textOf(ours)]).toEqual([name, by, cellsOf(rounds, name, by)]);
    }
  }
}

const cases = Object.keys(makers).flatMap((name) =>
  name === 'memory'
    ? [[name, 'whole events'] as const]
    : [[name, 'whole events'] as const, [name, 'pointers'] as const],
);

test.each(cases)(
  'in %s, with %s, the totals of each day are what the rounds say, whoever is killed while counting',
  async (name, kind) => {
    const random = seededRandom(testSeed);
    const clock = new SpanClock(begin);
    const isLimited = kind === 'pointers';
    const made = await makers[name]?.(
      ['totals', 'audit'],
      isLimited ? { clock, eventsLimit: 40 } : { clock },
      random,
    );
    if (made === undefined) throw new Error(`there is no ${name}`);
    const { store, other } = made;
    cleanup.after(store, (one) => one.close());
    cleanup.after(other, (one) => one.close());
    await store.ready();
    await other.ready();
    const players = Array.from({ length: 12 }, (_, at) => `player-${at}`);
    const play = new RandomPlay(other, clock, random, players);
    const seen: WalletEvent[] = [];
    const ending = new AbortController();
    const audit = auditOf(other, ending.signal, seen);
    cleanup.after(ending, (one) => one.abort());
    const keep = (of: FullStore): RunningTotals => {
      const totals = killedAtTimes(of.totals, random);
      const options = { store: { ...of, totals }, operatorIds: [operatorId], clock };
      return cleanup.after(startTotals(options), (one) => one.stop());
    };
    const keepers = [keep(store), keep(other)];
    await play.openPlayers();
    for (let step = 0; step < count; step++) await play.step(stepMs);
    await until('everything is counted', () => isCounted(other));
    ending.abort();
    await Promise.all([...keepers.map((one) => one.stop()), audit]);

    const ends = [begin, systemClock.now(), clock.now()];
    const span = [quarterOf(Math.min(...ends)) - 96, quarterOf(Math.max(...ends)) + 96] as const;
    await checkBooks(other, span);
    await checkDays(other, clock, seen, isLimited ? ['start'] : ['start', 'end']);
    const { gaps } = await other.totals.read(operatorId, ...span);
    expect(gaps).toEqual([]);
    const pointers = seen.filter((one) => one.type === 'round' && one.round !== undefined);
    expect(pointers.length > 0).toBe(isLimited);
    const cash = seen.flatMap((one) => (one.type === 'cash' ? one.movements : []));
    expect(cash.some(({ real }) => unitsOf(real) !== 0n)).toBe(true);
  },
);
