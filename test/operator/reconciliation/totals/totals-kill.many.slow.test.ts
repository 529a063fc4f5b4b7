import { afterEach, expect, test } from '@jest/globals';

import { startTotals } from '../../../../lib/operator/reconciliation/totals';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { FullStore, WalletEvent } from '../../../../lib/operator/wallet';
import { Cleanup } from '../../../servers/cleanup';
import { startPostgres } from '../../../servers/postgres/server';
import { startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { runs } from '../../../support/runs';
import {
  auditOf,
  begin,
  checkBooks,
  checkDays,
  isCounted,
  killedAtTimes,
  ownRandom,
  spanOf,
} from './checks';
import { operatorId, RandomPlay, SpanClock, spanMs } from './random-play';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

/** How often the server dies, and with it whoever counts. */
const KILLS = runs(60, 4);
const stepsBetween = 25;

const consumers = ['totals', 'audit'];
const limits = { commandTimeoutMs: 2_000, connectTimeoutMs: 2_000 } as const;

async function surviveKills(
  store: FullStore,
  clock: SpanClock,
  server: { kill9(): Promise<void>; restart(): Promise<void> },
): Promise<void> {
  cleanup.after(store, (one) => one.close());
  await store.ready();
  const players = Array.from({ length: 8 }, (_, at) => `player-${at}`);
  const play = new RandomPlay(store, clock, ownRandom('play'), players);
  await play.openPlayers();
  const seen: WalletEvent[] = [];
  const ending = cleanup.after(new AbortController(), (one) => one.abort());
  const audit = auditOf(store, ending.signal, seen);
  const keepers = ['one', 'other'].map((whose) => {
    const totals = killedAtTimes(store.totals, ownRandom(whose));
    const options = { store: { ...store, totals }, operatorIds: [operatorId], clock };
    return cleanup.after(startTotals(options), (one) => one.stop());
  });
  const stepMs = spanMs / (KILLS * stepsBetween);
  for (let kill = 0; kill < KILLS; kill++) {
    for (let step = 0; step < stepsBetween; step++) await play.step(stepMs);
    // Calls, the counting and the kill race.
    const playing = play.step(stepMs);
    await server.kill9();
    await server.restart();
    await playing;
  }
  await until('everything is counted', () => isCounted(store));
  ending.abort();
  await Promise.all([...keepers.map((one) => one.stop()), audit]);
  await checkBooks(store, spanOf(clock));
  await checkDays(store, clock, seen, true);
  expect((await store.totals.read(operatorId, ...spanOf(clock))).gaps).toEqual([]);
}

test('in Redis, which is killed while totals are kept, each event counts once', async () => {
  const server = cleanup.after(await startRedis(), (one) => one.stop());
  const clock = new SpanClock(begin);
  const options = { ...limits, events: consumers, init: true, clock, url: server.url } as const;
  await surviveKills(createRedisStore(options), clock, server);
});

test('in PostgreSQL, which is killed while totals are kept, each event counts once', async () => {
  const server = cleanup.after(await startPostgres(), (one) => one.stop());
  const url = await server.createDatabase();
  const store = createPostgresStore({ ...limits, events: consumers, init: true, url });
  await surviveKills(store, new SpanClock(begin), server);
});
