import assert from 'node:assert/strict';
import type { LimitKind, PlayerKey } from '../../../lib/operator/wallet';
import { playerWith } from '../../../lib/proof/contracts/case';
import { credit, debit, voidOf } from '../../../lib/proof/contracts/repairs/round-play';
import type { Case } from '../../../lib/proof/contracts/suite';
import { at, call, limited, limitsAt, type Process, type World } from './case';
import { limitOf } from './orders';

const minuteMs = 60_000;
const midnight = Date.UTC(2026, 10, 26);
const noon = midnight + 12 * 60 * minuteMs;

/** Which money counts, and what a void and a credit do to each limit of a player (D13.3, D13.4). */
export function moneyRules(it: Case<World>): void {
  it('of a debit that bonus money pays in part, a limit counts what it is told', async (world) => {
    const [process] = at(world, noon);
    const round = await playerWith(process.store.players, 30n, 100n);
    await limited(process, round, limitOf(40n));
    await limited(process, round, limitOf(60n, { kind: 'loss', counts: 'all' }));
    assert.deepEqual(await call(process, round, [debit('a', 50n, true)]), ['processed']);
    assert.deepEqual(await usedBy(process, round), { stake: 30n, loss: 50n });
    assert.deepEqual(await call(process, round, [debit('b', 11n)]), ['LIMITREACHED']);
    await call(process, round, [voidOf('b')]);
    await call(process, round, [voidOf('a')]);
    assert.deepEqual(await usedBy(process, round), { stake: 0n, loss: 0n });
  });

  it('a void that moves no money gives back what its debit counted', async (world) => {
    const [process] = at(world, noon);
    const round = await playerWith(process.store.players, 1000n);
    await limited(process, round, limitOf(100n));
    await limited(process, round, limitOf(100n, { kind: 'loss' }));
    await call(process, round, [debit('a', 40n, true), credit('w', 40n)]);
    assert.deepEqual(await usedBy(process, round), { stake: 40n, loss: 0n });
    await call(process, round, [voidOf('a')]);
    assert.deepEqual(await usedBy(process, round), { stake: 0n, loss: 0n });
  });

  it('a void gives back to each limit by the window of its own zone', async (world) => {
    const zones = ['UTC', 'Europe/Stockholm'] as const;
    for (const [kind, other] of [
      ['stake', 'loss'],
      ['loss', 'stake'],
    ] as const) {
      const [process] = at(world, midnight - 5 * minuteMs);
      const round = await playerWith(process.store.players, 1000n);
      await limited(process, round, limitOf(100n, { kind, zone: zones[0] }));
      await limited(process, round, limitOf(100n, { kind: other, zone: zones[1] }));
      await call(process, round, [debit('a', 40n, true)]);
      await call(process, round, [debit('b', 20n)]);
      at(world, midnight + minuteMs);
      await call(process, round, [voidOf('b')]);
      const used = await usedBy(process, round);
      assert.deepEqual([used[kind], used[other]], [0n, 40n]);
    }
  });

  it('credits and voids of a player over a limit are done', async (world) => {
    const [process] = at(world, noon);
    const loss = { kind: 'loss', counts: 'all' } as const;
    for (const creditTo of ['real', 'stakeShares'] as const) {
      const round = await playerWith(process.store.players, 30n, 100n);
      await limited(process, round, limitOf(100n, loss));
      await call(process, round, [debit('a', 60n, true)]);
      await call(process, round, [debit('b', 30n)]);
      await limited(process, round, limitOf(10n, loss));
      const won = await call(process, round, [credit('w', 9n)], { creditTo });
      assert.deepEqual(won, ['processed']);
      assert.deepEqual(await call(process, round, [voidOf('b')]), ['processed']);
      assert.deepEqual(await usedBy(process, round), { loss: 51n });
      assert.deepEqual(await call(process, round, [debit('c', 1n)]), ['LIMITREACHED']);
    }
  });
}

/** What counts of the limits of a player with one of a kind. */
async function usedBy(
  process: Process,
  player: PlayerKey,
): Promise<Partial<Record<LimitKind, bigint>>> {
  const { limits } = await limitsAt(process, player);
  return Object.fromEntries(Array.from(limits, ({ kind, used }) => [kind, used]));
}
