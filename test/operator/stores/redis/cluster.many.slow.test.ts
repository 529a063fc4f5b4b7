import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { Cluster } from 'ioredis';
import { Cluster as Cluster5 } from 'ioredis5';

import { type RoundHead, unseenRound } from '../../../../lib/operator/gameround';
import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import { Keys } from '../../../../lib/operator/stores/redis/codec/keys';
import { walletStoreContract } from '../../../../lib/proof';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { Cleanup } from '../../../servers/cleanup';
import { startLoadScene } from '../../../rgs/load/scene';
import { type RedisCluster, startRedisCluster } from '../../../servers/redis/cluster';
import { cleanupAfterEach } from '../../../support/each-test';
import { places } from '../../../support/runs';

/** How often a slot moves under load; `SLOT_MOVES=1000` makes a long run of it. */
const SLOT_MOVES = Number(process.env['SLOT_MOVES'] ?? 4);
/** As many as there are moves, so that a slot holds few rounds, however long it takes. */
const PLAYERS = Math.max(60, SLOT_MOVES);

const clients = new Cleanup();
const cleanup = cleanupAfterEach();
let cluster: RedisCluster;
let url: string;

beforeAll(async () => {
  cluster = await startRedisCluster();
  const hosts = cluster.startupNodes.map(({ host, port }) => `${host}:${port}`);
  url = `redis+cluster://${hosts.join(',')}`;
});

afterAll(async () => {
  await clients.run();
  await cluster.stop();
});

/** Clients of the user's own, of both versions of ioredis with their defaults. */
const variants: Readonly<Record<string, () => Omit<RedisStoreOptions, 'namespace'>>> = {
  'a client of its own': () => ({ url }),
  'an ioredis 5 client with defaults': () => ({
    client: clients.after(new Cluster5([...cluster.startupNodes]), (opened) => opened.disconnect()),
  }),
  'an ioredis client with defaults': () => ({
    client: clients.after(new Cluster([...cluster.startupNodes]), (opened) => opened.disconnect()),
  }),
};

/** The contract with the first two, which have a major version of ioredis each; load on moving slots with all. */
describe.each(places(variants, 2))('in a Redis Cluster with %s', (name, connection) => {
  const prefix = `Contract-${Object.keys(variants).indexOf(name)}_`;
  walletStoreContract({
    follows: true,
    runner: { describe, it, afterAll },
    createStore: (options) =>
      createRedisStore({
        init: true,
        acceptMixed: true,
        ...options,
        ...connection(),
        namespace: `${prefix}${options.decimals}`,
      }),
  });
});

async function open(options: RedisStoreOptions): Promise<AccountStore> {
  const store = cleanup.after(createRedisStore({ init: true, decimals: 2, ...options }));
  await store.ready();
  return store;
}

/** A slot that holds the keys of a player, and the master that has it. */
async function slotOf(namespace: string, playerId: string): Promise<[number, number]> {
  const slot = await cluster.slotOf(new Keys(namespace).account({ operatorId: 'op', playerId }));
  return [slot, await cluster.nodeOfSlot(slot)];
}

test.each(Object.entries(variants))(
  'slots that move under load with %s lose and double nothing',
  async (name, connection) => {
    const namespace = `moving${Object.keys(variants).indexOf(name)}`;
    const store = await open({ namespace, ...connection() });
    const scene = cleanup.after(await startLoadScene(store, { lostReplyShare: 0.01 }));
    await scene.processed(200);
    let moved = 0;
    for (const playerId of ['player 1', 'player 2', 'player 3']) {
      const [slot, from] = await slotOf(namespace, playerId);
      const before = moved;
      await cluster.moveSlot(slot, from, (from + 1) % cluster.nodes.length, {
        onStep: async (step) => {
          if (step.name !== 'key') return;
          moved += 1;
          // Long enough for the calls of this player to find keys on both sides, and to give up.
          if (moved === before + 5) await scene.outlastsDeadline();
        },
      });
      await scene.processed(100);
    }
    expect(await scene.finish()).toEqual([]);
    scene.tell(`3 slots moved with ${moved} keys, ${name}`);
    expect(moved).toBeGreaterThan(30);
  },
);

test('slots that move again and again under load lose and double nothing', async () => {
  const namespace = 'wandering';
  const store = await open({ namespace, url });
  const scene = cleanup.after(
    await startLoadScene(store, { lostReplyShare: 0.01, players: PLAYERS }),
  );
  let keys = 0;
  for (let move = 0; move < SLOT_MOVES; move += 1) {
    const playerId = `player ${move % PLAYERS}`;
    scene.load.favour(playerId);
    await scene.processed(20);
    const [slot, from] = await slotOf(namespace, playerId);
    await cluster.moveSlot(slot, from, (from + 1) % cluster.nodes.length, {
      onStep: (step) => void (keys += step.name === 'key' ? 1 : 0),
    });
    await scene.processed(5);
  }
  expect(await scene.finish()).toEqual([]);
  scene.tell(`${SLOT_MOVES} slot moves with ${keys} keys`);
  expect(keys).toBeGreaterThan(SLOT_MOVES);
});

test('rounds that need attention are listed from every master', async () => {
  const store = await open({ url, namespace: 'attention' });
  const masters = new Set<number>();
  const players = Array.from({ length: 40 }, (_, index) => `player ${index}`);
  for (const playerId of players) {
    const round = { operatorId: 'op', playerId, gameRound: `round of ${playerId}` };
    const after: RoundHead = { ...unseenRound, version: 1, state: 'stranded', gameCode: 'game' };
    const change = { before: unseenRound, after, records: [], movements: [] };
    expect(await store.rounds.commit(round, change)).toMatchObject({ kind: 'committed' });
    const [, master] = await slotOf('attention', playerId);
    masters.add(master);
  }
  const listed: string[] = [];
  for await (const { playerId } of store.lists.attention('op')) listed.push(playerId);
  expect(listed.toSorted()).toEqual(players.toSorted());
  expect(masters.size).toBe(3);
});

test('a master that is killed under load loses and doubles nothing', async () => {
  const store = await open({ url, namespace: 'killed', commandTimeoutMs: 300 });
  const scene = cleanup.after(await startLoadScene(store, { deadlineMs: 600 }));
  for (const node of cluster.nodes) {
    await scene.processed(200);
    await node.kill9();
    await scene.outlastsDeadline();
    await node.restart();
    await cluster.whenOk();
  }
  expect(await scene.finish()).toEqual([]);
  scene.tell('3 masters killed');
});
