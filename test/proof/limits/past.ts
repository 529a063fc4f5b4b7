import assert from 'node:assert/strict';
import type { LimitKind } from '../../../lib/operator/wallet';
import { anotherRound, open, orderOf, playerWith } from '../../../lib/proof/contracts/case';
import { credit, debit, voidOf } from '../../../lib/proof/contracts/repairs/round-play';
import type { Case } from '../../../lib/proof/contracts/suite';
import { at, call, limited, limitsAt, type Process, usedOf, type World } from './case';
import { limitOf } from './orders';

const dayMs = 86_400_000;
const noon = Date.UTC(2026, 10, 25, 12); // a Wednesday

/** What a limit counts that is set where money has moved in its window already (D13.6, P18). */
export function pastRules(it: Case<World>): void {
  it('a first limit counts what stays of the rounds in its window, by their times', async (world) => {
    const player = await playerWith(world.processes[0].store.players, 10_000n);
    await playFrom(world, player, [
      [noon - 26 * dayMs, 1_000n, 100n], // in October
      [noon - 24 * dayMs, 500n, 50n],
      [noon - 2 * dayMs, 200n, 20n],
      [noon - dayMs, 40n, 4n],
      [noon, 8n, 1n],
    ]);
    const [process] = at(world, noon + 1);
    assert.deepEqual(await firstUsed(process, player, 'stake'), [8n, 248n, 748n]);
    assert.deepEqual(await firstUsed(process, player, 'loss'), [7n, 223n, 673n]);
  });

  it('of a round that runs over an edge, only what moved in the window counts', async (world) => {
    const [process] = at(world, noon - dayMs);
    const round = await playerWith(process.store.players, 10_000n);
    await call(process, round, [debit('a', 100n, true), credit('b', 30n)]);
    at(world, noon);
    await call(process, round, [debit('c', 10n)]);
    await call(process, round, [credit('d', 3n)]);
    assert.deepEqual(await firstUsed(process, round, 'stake'), [10n, 110n, 110n]);
    assert.deepEqual(await firstUsed(process, round, 'loss'), [7n, 77n, 77n]);
  });

  it('what was voided does not count, whether a debit or a whole round', async (world) => {
    const [process] = at(world, noon - dayMs);
    const round = await playerWith(process.store.players, 10_000n);
    const other = anotherRound(round);
    await call(process, round, [debit('a', 100n, true), debit('b', 20n), credit('c', 5n)]);
    await call(process, other, [debit('first', 50n, true), credit('won', 400n)]);
    at(world, noon);
    await call(process, other, [debit('more', 7n)]);
    await call(process, round, [voidOf('b')]);
    await call(process, other, [voidOf('first')]);
    assert.deepEqual(await firstUsed(process, round, 'stake'), [0n, 100n, 100n]);
    assert.deepEqual(await firstUsed(process, round, 'loss'), [0n, 100n, 100n]);
  });

  it('a void takes back what was read, if it is of the same window', async (world) => {
    const [process] = at(world, noon - dayMs);
    const round = await playerWith(process.store.players, 10_000n);
    await call(process, round, [debit('a', 100n, true)]);
    at(world, noon);
    await call(process, round, [debit('b', 60n)]);
    await limited(process, round, limitOf(60n));
    await limited(process, round, limitOf(200n, { window: 'week' }));
    assert.deepEqual(await call(process, round, [debit('c', 1n)]), ['LIMITREACHED']);
    await call(process, round, [voidOf('c')]);
    await call(process, round, [voidOf('b')]);
    assert.deepEqual(await used(process, round), [0n, 100n]);
    await call(process, round, [voidOf('a')]);
    assert.deepEqual(await used(process, round), [0n, 0n]);
  });

  it('a window without a limit is read when it gets one, whatever others of its kind count', async (world) => {
    const [process] = at(world, noon - dayMs);
    const round = await playerWith(process.store.players, 10_000n);
    await call(process, round, [debit('a', 100n, true)]);
    at(world, noon);
    await call(process, round, [debit('b', 10n)]);
    await limited(process, round, limitOf(500n));
    await call(process, round, [debit('c', 1n)]);
    await limited(process, round, limitOf(500n, { window: 'week' }));
    assert.deepEqual(await used(process, round), [11n, 111n]);
    await limited(process, round, limitOf(null));
    at(world, noon + dayMs);
    await call(process, round, [debit('d', 2n)]);
    await limited(process, round, limitOf(500n));
    assert.deepEqual(await used(process, round), [2n, 113n]);
    await limited(process, round, limitOf(400n));
    assert.deepEqual(await used(process, round), [2n, 113n]);
  });

  it('the zone says which day a round was played on; another currency counts nothing', async (world) => {
    const [process] = at(world, Date.UTC(2026, 10, 25, 22, 30)); // in Stockholm still the 25th
    const { players } = process.store;
    const round = await playerWith(players, 10_000n);
    await open(players, round, 'USD', 900n);
    await call(process, round, [debit('a', 100n, true)]);
    at(world, Date.UTC(2026, 10, 25, 23, 30));
    await call(process, round, [debit('b', 10n)]);
    await limited(process, round, limitOf(500n, { zone: 'Europe/Stockholm' }));
    await limited(process, round, limitOf(500n, { kind: 'loss' }));
    await limited(process, round, limitOf(500n, { kind: 'loss', currency: 'USD' }));
    assert.deepEqual(await used(process, round), [10n, 110n, 0n]);
  });

  it('a limit of deposits counts those of its window, and no other cash', async (world) => {
    const now = Date.now(); // cash has the times of the server in some stores
    const [process] = at(world, now);
    const { players } = process.store;
    const player = await playerWith(players, 10_000n);
    for (const units of [30n, 12n]) await players.deposit(orderOf(player, units));
    await players.withdraw(orderOf(player, 7n));
    const by = { id: 'anna', name: null };
    await players.correct?.({ ...orderOf(player, 9n), by, reason: 'a ticket of a player' });
    const limit = limitOf(50n, { kind: 'deposit', zone: zoneOfNoon(now) });
    await limited(process, player, limit);
    assert.equal(await usedOf(process, player), 42n);
    const order = orderOf(player, 9n);
    assert.deepEqual(await players.deposit(order), { kind: 'refused', reason: 'limitReached' });
    assert.equal((await players.deposit(orderOf(player, 8n))).kind, 'done');
  });
}

/** Plays a round with a debit and a credit at each time. */
async function playFrom(
  world: World,
  player: Parameters<typeof anotherRound>[0],
  plays: readonly (readonly [now: number, stake: bigint, win: bigint])[],
): Promise<void> {
  for (const [now, stake, win] of plays) {
    const [process] = at(world, now);
    const round = anotherRound(player);
    await call(process, round, [debit('a', stake, true)]);
    await call(process, round, [credit('b', win), { type: 'end', hash: 'c' }]);
  }
}

/** What first limits of a day, a week and a month count. */
async function firstUsed(
  process: Process,
  player: Parameters<typeof anotherRound>[0],
  kind: LimitKind,
): Promise<readonly bigint[]> {
  for (const window of ['day', 'week', 'month'] as const) {
    await limited(process, player, limitOf(1_000_000n, { kind, window }));
  }
  const counted = await used(process, player);
  for (const window of ['day', 'week', 'month'] as const) {
    await limited(process, player, limitOf(null, { kind, window }));
  }
  return counted;
}

async function used(
  process: Process,
  player: Parameters<typeof anotherRound>[0],
): Promise<readonly bigint[]> {
  const { limits } = await limitsAt(process, player);
  return Array.from(limits, (one) => one.used);
}

/** A zone in which it is noon. */
function zoneOfNoon(now: number): string {
  const behind = new Date(now).getUTCHours() - 12;
  return `Etc/GMT${behind < 0 ? '-' : '+'}${Math.abs(behind)}`;
}
