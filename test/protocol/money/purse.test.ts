import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  addPurses,
  emptyPurse,
  isEmptyPurse,
  splitByShares,
  splitDebit,
  subtractPurses,
} from '../../../lib/protocol/money/purse';
import { maxUnits } from '../../../lib/protocol/money/amount';

const amount = fc.bigInt(0n, maxUnits);
const purse = fc.record({
  real: fc.bigInt(-maxUnits, maxUnits),
  bonus: fc.bigInt(-maxUnits, maxUnits),
});

function atLeastZero(units: bigint): bigint {
  return units < 0n ? 0n : units;
}

describe('how a debit is paid', () => {
  test.each([
    [{ real: 10n, bonus: 5n }, 3n, true, { real: 0n, bonus: 3n }],
    [{ real: 10n, bonus: 5n }, 8n, true, { real: 3n, bonus: 5n }],
    [{ real: 10n, bonus: 5n }, 8n, false, { real: 8n, bonus: 0n }],
    [{ real: 10n, bonus: 5n }, 12n, false, { real: 10n, bonus: 2n }],
    [{ real: 10n, bonus: 5n }, 15n, true, { real: 10n, bonus: 5n }],
    [{ real: 10n, bonus: 5n }, 16n, true, null],
    [{ real: -10n, bonus: 5n }, 5n, false, { real: 0n, bonus: 5n }],
    [{ real: -10n, bonus: 5n }, 6n, false, null],
    [{ real: 5n, bonus: -10n }, 5n, true, { real: 5n, bonus: 0n }],
    [{ real: -10n, bonus: -5n }, 0n, true, emptyPurse],
    [{ real: -10n, bonus: -5n }, 1n, true, null],
  ])('a balance of %p pays %s, bonus first %s, from %p', (balance, due, bonusFirst, paid) => {
    expect(splitDebit(due, balance, bonusFirst)).toEqual(paid);
  });

  test('the second balance pays only what the first lacks, and null is for what both lack', () => {
    fc.assert(
      fc.property(purse, amount, fc.boolean(), (balance, due, bonusFirst) => {
        const paid = splitDebit(due, balance, bonusFirst);
        const has = { real: atLeastZero(balance.real), bonus: atLeastZero(balance.bonus) };
        expect(paid === null).toBe(has.real + has.bonus < due);
        if (paid === null) return;
        const [first, second] = bonusFirst
          ? (['bonus', 'real'] as const)
          : (['real', 'bonus'] as const);
        expect(paid[second] === 0n || paid[first] === has[first]).toBe(true);
      }),
    );
  });

  test('it is paid in full, from nothing that is not there', () => {
    fc.assert(
      fc.property(purse, amount, fc.boolean(), (balance, due, bonusFirst) => {
        const paid = splitDebit(due, balance, bonusFirst);
        if (paid === null) return;
        expect(paid.real + paid.bonus).toBe(due);
        for (const part of ['real', 'bonus'] as const) {
          expect(paid[part] >= 0n).toBe(true);
          expect(paid[part] === 0n || paid[part] <= balance[part]).toBe(true);
        }
      }),
    );
  });
});

describe('a credit split by shares', () => {
  test.each([
    [10n, { real: 3n, bonus: 7n }, { real: 3n, bonus: 7n }],
    [9n, { real: 3n, bonus: 7n }, { real: 3n, bonus: 6n }],
    [10n, { real: 0n, bonus: 7n }, { real: 0n, bonus: 10n }],
    [10n, { real: 7n, bonus: 0n }, { real: 10n, bonus: 0n }],
    [10n, emptyPurse, { real: 10n, bonus: 0n }],
    [0n, { real: 3n, bonus: 7n }, emptyPurse],
  ])('of %s by %p is %p', (due, shares, split) => {
    expect(splitByShares(due, shares)).toEqual(split);
  });

  test('gives all of it, to nobody less than nothing, and real what does not divide', () => {
    const shares = fc.record({ real: amount, bonus: amount });
    fc.assert(
      fc.property(amount, shares, (due, by) => {
        const split = splitByShares(due, by);
        expect(split.real + split.bonus).toBe(due);
        expect(split.real >= 0n && split.bonus >= 0n).toBe(true);
        expect(split.bonus * (by.real + by.bonus) <= due * by.bonus).toBe(true);
      }),
    );
  });
});

test('purses are added and subtracted each part to its own', () => {
  fc.assert(
    fc.property(purse, purse, (a, b) => {
      expect(subtractPurses(addPurses(a, b), b)).toEqual(a);
      expect(addPurses(a, b)).toEqual(addPurses(b, a));
    }),
  );
  expect(isEmptyPurse(emptyPurse)).toBe(true);
  expect(isEmptyPurse({ real: 1n, bonus: -1n })).toBe(false);
});
