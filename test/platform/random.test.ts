import { describe, expect, test } from '@jest/globals';
import { backOffMs } from '../../lib/platform/back-off';
import {
  createSeededRandom,
  type Random,
  randomUuid,
  systemRandom,
  wholeBelow,
} from '../../lib/platform/random';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function drawn(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => random.next());
}

/** Chance that is always the same number. */
function always(number: number): Random {
  return { ...systemRandom, next: () => number };
}

describe.each([
  ['the system', () => systemRandom],
  ['a seed', () => createSeededRandom(7)],
])('chance of %s', (_, make) => {
  test('numbers are from 0 to below 1, and spread over it', () => {
    const numbers = drawn(make(), 10_000);
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    const tenths = new Set(numbers.map((number) => Math.floor(number * 10)));
    expect(tenths.size).toBe(10);
  });

  test('bytes are as many as asked for, and take every value', () => {
    const random = make();
    expect(random.bytes(0)).toHaveLength(0);
    const bytes = random.bytes(20_000);
    expect(bytes).toHaveLength(20_000);
    expect(new Set(bytes).size).toBe(256);
  });

  test('whole numbers are below their limit, and every one of them comes', () => {
    const random = make();
    const numbers = Array.from({ length: 1000 }, () => wholeBelow(random, 6));
    expect(new Set(numbers)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  });

  test('UUIDs are of version 4, and no two alike', () => {
    const random = make();
    const ids = Array.from({ length: 1000 }, () => randomUuid(random));
    expect(ids.filter((id) => !uuid.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(1000);
  });
});

test('the same seed gives the same numbers and bytes, another seed others', () => {
  const [one, same, other] = [1, 1, 2].map((seed) => createSeededRandom(seed));
  expect(drawn(one as Random, 5)).toEqual(drawn(same as Random, 5));
  expect((one as Random).bytes(8)).toEqual((same as Random).bytes(8));
  expect(drawn(one as Random, 5)).not.toEqual(drawn(other as Random, 5));
});

describe('back-off', () => {
  const pauses = { firstMs: 100, longestMs: 1000 };

  test('a pause doubles with each failure in a row, up to the longest', () => {
    const longest = [1, 2, 3, 4, 5, 5000].map((failures) => backOffMs(pauses, failures, always(1)));
    expect(longest).toEqual([100, 200, 400, 800, 1000, 1000]);
  });

  test('up to half of a pause is taken off at random', () => {
    expect(backOffMs(pauses, 1, always(0))).toBe(50);
    expect(backOffMs(pauses, 1, always(0.5))).toBe(75);
  });
});

test('the bytes of the system are given out once, each time in memory of their own', () => {
  const all = Array.from({ length: 1000 }, () => systemRandom.bytes(16));
  const texts = all.map((bytes) => bytes.toString('hex'));
  for (const bytes of all) bytes.fill(0);
  const later = Array.from({ length: 1000 }, () => systemRandom.bytes(16).toString('hex'));
  expect(new Set([...texts, ...later]).size).toBe(2000);
  expect([0, 1, 256, 257, 5000].map((count) => systemRandom.bytes(count).byteLength)).toEqual([
    0, 1, 256, 257, 5000,
  ]);
});
