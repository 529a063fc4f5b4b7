import { expect, test } from '@jest/globals';

import { unseenRound } from '../../../lib/operator/gameround';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { RoundEvent, RoundKey, FullStore } from '../../../lib/operator/wallet';
import { systemClock } from '../../../lib/platform';
import { changeOf, end, give, real, take } from '../../../lib/proof/contracts/changes';
import { seededRandom } from '../../platform/seeded-random';
import { startPostgres } from '../../servers/postgres/server';
import { startRedis } from '../../servers/redis/server';
import { runs } from '../../support/runs';
import { ofRounds } from '../../../lib/proof/contracts/events/case';
import { cleanupAfterEach } from '../../support/each-test';

/** How often the server dies, and with it every second reader; `KILLS=200` makes a long run of it. */
const KILLS = Number(process.env['KILLS'] ?? runs(100, 5));
const operatorId = 'op';
const players = ['p-0', 'p-1', 'p-2', 'p-3'];
const cleanup = cleanupAfterEach();

type Store = FullStore;

/** Plays a round of three commits; after an unknown outcome it looks, and goes on from there. */
async function playRound(store: Store, round: RoundKey): Promise<void> {
  const steps = [take('d', 7n), give('c', real(3n)), end('e')];
  let before = unseenRound;
  while (before.version < steps.length) {
    const part = steps[before.version];
    if (part !== undefined) await store.rounds.commit(round, changeOf(before, [part]));
    const loaded = await store.rounds.load(round, []);
    if (loaded.kind === 'loaded') before = loaded.snapshot.head;
    else await systemClock.pause(20);
  }
}

/** Reads through every outage; in one of four batches the reader dies before it acknowledges. */
async function follow(store: Store, signal: AbortSignal): Promise<Map<string, RoundEvent>> {
  const random = seededRandom(7);
  const seen = new Map<string, RoundEvent>();
  while (!signal.aborted) {
    try {
      for await (const batch of store.events.read({
        consumer: 'a',
        operatorId,
        atMost: 20,
        signal,
      })) {
        for (const event of ofRounds(batch.events)) {
          const versions = [...seen.values()].filter(
            ({ gameRound }) => gameRound === event.gameRound,
          ).length;
          // In order: a version is new only as the next one of its round.
          if (!seen.has(event.id)) expect(event.version).toBe(versions + 1);
          seen.set(event.id, event);
        }
        if (random() < 0.25) break;
        await batch.done();
      }
    } catch (error) {
      expect(error).toMatchObject({ code: 'STOREUNAVAILABLE' });
      await systemClock.pause(20);
    }
  }
  return seen;
}

async function surviveKills(
  store: Store,
  server: { kill9(): Promise<void>; restart(): Promise<void> },
): Promise<void> {
  for (const playerId of players) {
    await store.players.openPlayer({
      operatorId,
      playerId,
      currency: 'EUR',
      balances: { real: '10000' },
    });
  }
  const stopping = new AbortController();
  const following = follow(store, stopping.signal);
  const playing = new AbortController();
  const rounds: RoundKey[] = [];
  const play = async (playerId: string): Promise<void> => {
    while (!playing.signal.aborted) {
      const round = { operatorId, playerId, gameRound: `r-${rounds.length}` };
      rounds.push(round);
      await playRound(store, round);
    }
  };
  const writers = players.map(play);
  for (let kill = 0; kill < KILLS; kill++) {
    const target = rounds.length + 20;
    while (rounds.length < target) await systemClock.pause(5);
    await server.kill9();
    await server.restart();
  }
  playing.abort();
  await Promise.all(writers);
  for (;;) {
    const lags = await store.events.lag(operatorId).catch(() => []);
    if (lags[0]?.waiting === 0) break;
    await systemClock.pause(20);
  }
  stopping.abort();
  const seen = await following;
  const expected = rounds.flatMap(({ playerId, gameRound }) =>
    [1, 2, 3].map((version) => `${operatorId}/${playerId}/${gameRound}/${version}`),
  );
  expect([...seen.keys()].toSorted()).toEqual(expected.toSorted());
  for (const playerId of players) {
    let units = 10_000 * 10_000;
    for (const event of seen.values()) {
      if (event.playerId !== playerId) continue;
      for (const { real: moved } of event.movements) units += Math.round(Number(moved) * 10_000);
    }
    const known = await store.rounds.accounts({ operatorId, playerId });
    expect(known.kind === 'known' && known.accounts?.[0]?.real).toBe(BigInt(units));
  }
}

const times = { commandTimeoutMs: 2000, connectTimeoutMs: 60_000, events: ['a'] };

test('Redis is killed: each version is delivered at least once, none is skipped, sums equal balances', async () => {
  const server = cleanup.after(await startRedis());
  const store = createRedisStore({ url: server.url, init: true, ...times });
  cleanup.after(store);
  await store.ready();
  await surviveKills(store, server);
});

test('PostgreSQL is killed: each version is delivered at least once, none is skipped, sums equal balances', async () => {
  const server = cleanup.after(await startPostgres());
  const store = createPostgresStore({ url: server.url, init: true, ...times });
  cleanup.after(store);
  await store.ready();
  await surviveKills(store, server);
});
