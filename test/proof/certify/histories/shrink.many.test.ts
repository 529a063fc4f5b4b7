import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { shrink } from '../../../../lib/proof/certify/cases/histories/shrink';
import { runs } from '../../../support/runs';

const always = (): boolean => true;

/** Shrinks a list of numbers; a number is made simpler by one, down to 0. */
function shrinkNumbers(
  failing: readonly number[],
  fails: (items: readonly number[]) => boolean,
  mayGoOn: () => boolean = always,
): Promise<readonly number[]> {
  return shrink(failing, {
    fails: (items) => Promise.resolve(fails(items)),
    simplerThan: (item) => (item > 0 ? [item - 1] : []),
    mayGoOn,
  });
}

const numbers = fc.array(fc.nat(20), { minLength: 1, maxLength: 20 });

describe('a failing history is shortened by delta debugging', () => {
  test('exactly the steps remain that the failure needs, in their order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 20 }),
        fc.nat(),
        async (items, bits) => {
          const needed = items.filter((_, at) => (bits >> at) % 2 === 1 || at === items.length - 1);
          const shortest = await shrink(items, {
            fails: (some) => Promise.resolve(needed.every((one) => some.includes(one))),
            simplerThan: () => [],
            mayGoOn: always,
          });
          expect(shortest).toEqual(needed);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test('what remains fails, and no single step can be left out or made simpler', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, fc.integer({ min: 1, max: 40 }), async (items, least) => {
        const fails = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) >= least;
        fc.pre(fails(items));
        const shortest = await shrinkNumbers(items, fails);
        expect(fails(shortest)).toBe(true);
        const fewer = shortest.map((_, left) => shortest.filter((_one, at) => at !== left));
        const simpler = shortest.map((one, at) => shortest.with(at, one - 1));
        expect([...fewer, ...simpler].filter((some) => some.length > 0 && fails(some))).toEqual([]);
      }),
      { numRuns: runs(200) },
    );
  });

  test('it ends when it may not go on, with the shortest that was seen to fail', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, fc.nat(10), async (items, most) => {
        let attempts = 0;
        const seen: (readonly number[])[] = [items];
        const shortest = await shrinkNumbers(
          items,
          (some) => {
            attempts += 1;
            seen.push(some);
            return some.length > 0;
          },
          () => attempts < most,
        );
        expect(attempts).toBeLessThanOrEqual(most);
        expect(seen).toContain(shortest);
      }),
      { numRuns: runs(100) },
    );
  });

  test('a failure that does not come again leaves the history as it was found', async () => {
    expect(await shrinkNumbers([3, 1, 2], () => false)).toEqual([3, 1, 2]);
  });
});
