import { expect, test } from '@jest/globals';

import { startTotals } from '../../../../lib/operator/reconciliation/totals';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { FullStore, PlayerKey, WalletEvent } from '../../../../lib/operator/wallet';
import { nextBatch, ofRounds, waitingFor } from '../../../../lib/proof/contracts/events/case';
import { moneyOf } from '../../../../lib/proof/contracts/events/player-money';
import { anna, bert, RoundPlay } from '../../../../lib/proof/contracts/repairs/round-play';
import { contractPlayer } from '../../../../lib/proof/subject/players';
import { startRedisCluster } from '../../../servers/redis/cluster';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const operatorId = 'op';
const consumer = 'contract-a';
const reason = 'as the ticket says';
const quarterMs = 900_000;
const cleanup = cleanupAfterEach();
const cluster = serverOfFile(startRedisCluster);

async function open(namespace: string, consumers = [consumer]): Promise<FullStore> {
  const hosts = cluster().startupNodes.map(({ host, port }) => `${host}:${port}`);
  const url = `redis+cluster://${hosts.join(',')}`;
  const options = { ...patience, url, namespace, init: true, events: consumers };
  const store = cleanup.after(createRedisStore(options));
  await store.ready();
  return store;
}

/** Cash of every kind, a block and its end, each twice: the second time nothing happens. */
async function actsOf(store: FullStore, player: PlayerKey): Promise<void> {
  const { players } = store;
  const order = { ...player, currency: 'EUR' };
  for (let turn = 0; turn < 2; turn++) {
    await players.openPlayer(contractPlayer(player, 'EUR', 100n, 20n));
    await players.deposit({ ...order, amount: { units: 30n }, reference: 'd' });
    await players.withdraw({ ...order, amount: { units: 9n }, reference: 'w', by: anna });
    const correction = {
      ...order,
      amount: { units: -5n },
      balance: 'bonus',
      reference: 'c',
    } as const;
    await players.correct({ ...correction, by: bert, reason });
    await players.setBlocked(player, true, { by: anna, reason });
  }
  await players.setBlocked(player, false);
}

/** So many events that wait, acknowledged; then none is left. A page asks every bucket: the largest page asks least often. */
async function readAll(store: FullStore, operator: string, count: number): Promise<WalletEvent[]> {
  const events: WalletEvent[] = [];
  while (events.length < count) {
    const batch = await nextBatch(store, operator, { consumer, atMost: 1000 });
    expect(await batch.done()).toBe(true);
    events.push(...batch.events);
  }
  expect(await waitingFor(store, operator, consumer)).toBe(0);
  return events;
}

const told = ['opening', 'deposit', 'withdrawal', 'correction', 'blocked', 'free'];

function wordOf(event: WalletEvent): string {
  if (event.type === 'cash') return event.kind;
  if (event.type === 'block') return event.blocked ? 'blocked' : 'free';
  return 'round';
}

test('in a cluster the acts of players in all of its parts are one event each, and add up to the balances (O12)', async () => {
  const store = await open('acts');
  const players = Array.from({ length: 40 }, (_, at) => ({ operatorId, playerId: `p-${at}` }));
  await Promise.all(players.map((player) => actsOf(store, player)));
  const events = await readAll(store, operatorId, players.length * told.length);
  for (const player of players) {
    const own = events.filter(({ playerId }) => playerId === player.playerId);
    expect(own.map(wordOf)).toEqual(told);
    const money = moneyOf(player);
    for (const event of own) money.follow(event);
    await money.check(store.players);
  }
  expect(events).toHaveLength(players.length * told.length);
});

test('in a cluster a repair by two people is two events, with who and why, and the money in the second', async () => {
  const store = await open('repairs');
  const play = await RoundPlay.stranded({ store, players: store.players });
  const id = await play.proposed({ kind: 'pay', reason });
  expect((await play.approve(id, bert)).kind).toBe('made');
  const events = await readAll(store, play.round.operatorId, 6);
  const repairs = ofRounds(events).filter(({ cause }) => cause === 'repair');
  const shown = repairs.map(({ movements, repairs: [one] = [] }) => [
    one?.id,
    one?.status,
    one?.proposedBy,
    one?.decidedBy,
    one?.reason,
    movements.map(({ real }) => real),
  ]);
  expect(shown).toEqual([
    [id, 'proposed', anna, null, reason, []],
    [id, 'done', anna, bert, reason, ['0.0025']],
  ]);
  const money = moneyOf(play.round);
  for (const event of events) money.follow(event);
  await money.check(store.players);
});

test('in a cluster a busy player keeps no other waiting, and what one page leaves the next ones bring, in order', async () => {
  const store = await open('shares');
  const ids = ['busy', 'ann', 'bob', 'cid'];
  for (const playerId of ids) {
    await store.players.openPlayer(contractPlayer({ operatorId, playerId }, 'EUR', 0n));
  }
  const busy = { operatorId, playerId: 'busy', currency: 'EUR', amount: { units: 1n } };
  const references = Array.from({ length: 400 }, (_, at) => `r-${at}`);
  await Promise.all(references.map((reference) => store.players.deposit({ ...busy, reference })));
  const first = await nextBatch(store, operatorId, { consumer, atMost: 40 });
  expect(first.events).toHaveLength(40);
  expect(new Set(first.events.map(({ playerId }) => playerId))).toEqual(new Set(ids));
  expect(await first.done()).toBe(true);
  const left = ids.length + references.length - first.events.length;
  const events = [...first.events, ...(await readAll(store, operatorId, left))];
  expect(new Set(events.map(({ id }) => id)).size).toBe(ids.length + references.length);
  expect(events).toHaveLength(ids.length + references.length);
  const money = moneyOf(busy);
  for (const event of events) if (event.playerId === 'busy') money.follow(event);
  await money.check(store.players);
});

test('in a cluster the totals count the cash of players in all of its parts, each event once', async () => {
  const store = await open('totals', ['totals']);
  const players = Array.from({ length: 40 }, (_, at) => ({ operatorId, playerId: `p-${at}` }));
  await Promise.all(players.map((player) => actsOf(store, player)));
  const keepers = [0, 1].map(() =>
    cleanup.after(startTotals({ store, operatorIds: [operatorId] })),
  );
  const isCounted = async () => (await waitingFor(store, operatorId, 'totals')) === 0;
  await until('everything is counted', isCounted);
  await Promise.all(keepers.map((one) => one.stop()));
  const last = Math.floor(Date.now() / quarterMs);
  const { rows, gaps } = await store.totals.read(operatorId, last - 96, last + 1);
  const sum = (name: 'cashIn' | 'cashOut' | 'corrected') =>
    rows.reduce((all, { sums }) => all + (sums[name] ?? 0n), 0n);
  expect([sum('cashIn'), sum('cashOut'), sum('corrected'), gaps]).toEqual([
    40n * (100n + 20n + 30n),
    40n * 9n,
    40n * -5n,
    [],
  ]);
});
