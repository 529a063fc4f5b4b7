import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { expectSame } from '../../../support/expect-same';
import { runs } from '../../../support/runs';

import type { Movement } from '../../../../lib/operator/gameround';
import { maxUnits } from '../../../../lib/protocol/money/amount';
import { guardOf } from '../../../../lib/operator/stores/postgres/codec/account-guard';

interface Balance {
  readonly real: bigint;
  readonly bonus: bigint | null;
}

/** The movements one after the other, by the port's rules; null if one is refused. */
function moved(balance: Balance, movements: readonly Movement[]): Balance | null {
  let { real, bonus } = balance;
  for (const movement of movements) {
    let [fromReal, fromBonus] = [0n, 0n];
    if (movement.kind === 'take') {
      const { amount, bonusFirst } = movement;
      const has = { real: real > 0n ? real : 0n, bonus: (bonus ?? 0n) > 0n ? (bonus ?? 0n) : 0n };
      if (has.real + has.bonus < amount) return null;
      const first = bonusFirst ? has.bonus : has.real;
      const paidFirst = first < amount ? first : amount;
      fromBonus = bonusFirst ? paidFirst : amount - paidFirst;
      fromReal = amount - fromBonus;
    } else {
      [fromReal, fromBonus] = [-movement.purse.real, -movement.purse.bonus];
    }
    real -= fromReal;
    if (fromBonus !== 0n || bonus !== null) bonus = (bonus ?? 0n) - fromBonus;
    for (const value of [real, bonus ?? 0n]) {
      if (value > maxUnits || value < -maxUnits) return null;
    }
  }
  return { real, bonus };
}

const units = fc.oneof(
  fc.bigInt(0n, 30n),
  fc.bigInt(maxUnits - 30n, maxUnits),
  fc.constantFrom(0n, maxUnits),
);
const real = fc.oneof(
  units,
  units.map((value) => -value),
);
const take: fc.Arbitrary<Movement> = fc.record({
  kind: fc.constant('take'),
  hash: fc.constant('d'),
  currency: fc.constant('EUR'),
  amount: units,
  bonusFirst: fc.boolean(),
});
const give: fc.Arbitrary<Movement> = fc.record({
  kind: fc.constantFrom('give', 'reverse'),
  hash: fc.constant('c'),
  currency: fc.constant('EUR'),
  purse: fc.record({ real, bonus: fc.constant(0n) }),
});
const movementsOfReal = fc.array(fc.oneof(take, give), { minLength: 1, maxLength: 6 });
const balance: fc.Arbitrary<Balance> = fc.record({
  real,
  bonus: fc.oneof(fc.constant(null), fc.bigInt(-5n, 30n)),
});

/** What commit_round asks of the account. */
function passes(movements: readonly Movement[], has: Balance): boolean {
  const guard = guardOf(movements);
  if (guard === null || (guard.bonusFirst && (has.bonus ?? 0n) > 0n)) return false;
  return has.real >= guard.lowest && has.real <= guard.highest;
}

/** What passes goes through one by one, and the real balance pays all of it. */
function isTrue(movements: readonly Movement[], has: Balance): void {
  fc.pre(passes(movements, has));
  const net = guardOf(movements)?.net ?? 0n;
  expectSame(moved(has, movements), { real: has.real + net, bonus: has.bonus });
}

/** Without bonus money, every change that succeeds passes. */
function isComplete(movements: readonly Movement[], balanceOfReal: bigint): void {
  const has = { real: balanceOfReal, bonus: null };
  expectSame(passes(movements, has), moved(has, movements) !== null);
}

describe('the guard of movements', () => {
  test('lets pass only what goes through one by one, and then the real balance pays all of it', () => {
    fc.assert(fc.property(movementsOfReal, balance, isTrue), { numRuns: runs(3000) });
  });

  test('lets every change pass that succeeds without bonus money', () => {
    fc.assert(fc.property(movementsOfReal, real, isComplete), { numRuns: runs(3000) });
  });

  test('is none for several currencies, and where bonus moves', () => {
    const purse = { real: 1n, bonus: 0n };
    const euro: Movement = { kind: 'give', hash: 'c', currency: 'EUR', purse };
    expect(guardOf([])).toBeNull();
    expect(guardOf([euro, { ...euro, currency: 'USD' }])).toBeNull();
    expect(guardOf([{ ...euro, purse: { real: 0n, bonus: 1n } }])).toBeNull();
    expectSame(guardOf([euro, euro])?.net, 2n);
  });
});
