import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import {
  coordinate,
  linearScale,
  logScale,
  slotOf,
  stepOf,
  tickText,
} from '../../../../lib/platform/html/figure/scale';

const box = { top: 20, bottom: 130 };
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

function expectRound(value: number): void {
  expect(value.toExponential()).toMatch(/^[125]e[+-]\d+$/);
}

test('a step is 1, 2 or 5 times a power of ten, and goes into its range at most so often', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-8, max: 1e299, noNaN: true }),
      fc.integer({ min: 1, max: 9 }),
      (range, most) => {
        const step = stepOf(range, most);
        expectRound(step);
        expect(range / step).toBeLessThanOrEqual(most * (1 + 1e-9));
        expect(range / step).toBeGreaterThan(most / 3);
      },
    ),
  );
});

test('the ticks of a linear scale rise by one round step, and every finite value is inside', () => {
  fc.assert(
    fc.property(finite, finite, finite, (least, most, value) => {
      const scale = linearScale({ least, most, ...box });
      expect(scale.y(value)).toBeGreaterThanOrEqual(box.top - 1e-6);
      expect(scale.y(value)).toBeLessThanOrEqual(box.bottom + 1e-6);
      expect(scale.ticks).toContain(0);
      expect(scale.ticks.length).toBeLessThanOrEqual(8);
      const [first = 0, second = 0] = scale.ticks;
      if (scale.ticks.length > 1) expectRound(Number((second - first).toPrecision(9)));
      for (const [at, tick] of scale.ticks.entries()) {
        if (at > 0) expect(tick).toBeGreaterThan(scale.ticks[at - 1] ?? Number.NaN);
      }
    }),
  );
});

test('a scale of one side has two ticks besides zero at least, and of two sides about as long each has one', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-6, max: 1e12, noNaN: true }),
      fc.double({ min: 0.84, max: 1, noNaN: true }),
      (most, share) => {
        const both = linearScale({ least: -share * most, most, ...box }).ticks;
        expect(Math.min(...both)).toBeLessThan(0);
        expect(Math.max(...both)).toBeGreaterThan(0);
        const one = linearScale({ least: 0, most, ...box }).ticks;
        expect(one.filter((tick) => tick > 0).length).toBeGreaterThan(1);
      },
    ),
  );
});

test('a higher value is drawn higher', () => {
  const { y } = linearScale({ least: -50, most: 150, ...box });
  expect([150, 0, -50].map(y)).toEqual([20, 102.5, 130]);
});

test('what is counted has no tick between two whole numbers', () => {
  expect(linearScale({ least: 0, most: 1, leastStep: 1, ...box }).ticks).toEqual([0, 1]);
  expect(linearScale({ least: 0, most: 0, leastStep: 1, ...box }).ticks).toEqual([0, 1]);
  expect(linearScale({ least: 0, most: 2277, leastStep: 1, ...box }).ticks).toEqual([
    0, 500, 1000, 1500, 2000,
  ]);
});

test('the ticks of a logarithmic scale are powers of ten, rise, and hold every value between them', () => {
  fc.assert(
    fc.property(finite, finite, finite, (one, other, value) => {
      const scale = logScale(one, other, box);
      expect(scale.y(value)).toBeGreaterThanOrEqual(box.top - 1e-6);
      expect(scale.y(value)).toBeLessThanOrEqual(box.bottom + 1e-6);
      expect(scale.ticks.length).toBeGreaterThan(1);
      expect(scale.ticks.length).toBeLessThanOrEqual(6);
      for (const [at, tick] of scale.ticks.entries()) {
        expect(tick.toExponential()).toMatch(/^1e[+-]\d+$/);
        if (at > 0) expect(tick).toBeGreaterThan(scale.ticks[at - 1] ?? Number.NaN);
      }
    }),
  );
  expect(logScale(5.9, 312, box).ticks).toEqual([1, 10, 100, 1000]);
});

test('columns stand beside each other over the whole width', () => {
  expect(slotOf(0, 4)).toEqual({ left: 0, middle: 12.5, width: 25 });
  expect(slotOf(3, 4, 0.5)).toEqual({ left: 81.25, middle: 87.5, width: 12.5 });
});

test('a coordinate is a number of two decimals', () => {
  expect([0, -0, -0.001, 33.333_33, 12.5, 100].map(coordinate)).toEqual([
    '0',
    '0',
    '0',
    '33.33',
    '12.5',
    '100',
  ]);
});

test('a tick has a short name without a sign', () => {
  expect([0, 0.5, 500, 1000, -20_000, 1_500_000, 2e9, 1e-9, 1e300].map(tickText)).toEqual([
    '0',
    '0.5',
    '500',
    '1k',
    '20k',
    '1.5M',
    '2B',
    '1e-9',
    '1e+300',
  ]);
});
