import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { createSeededRandom, type Random, systemRandom } from '../../lib/platform';
import { EngineRefusedError } from '../../lib/protocol/engine-api/errors';
import type { RandomRequest } from '../../lib/protocol/engine-api/requests';
import { drawValues } from '../../lib/rgs/random';
import { uuidV5 } from '../../lib/rgs/service/core/parts';

/** A source whose words are these numbers, in order. */
function words(...values: readonly bigint[]): Random {
  const all = Buffer.concat(
    values.map((value) => {
      const word = Buffer.alloc(8);
      word.writeBigUInt64BE(value);
      return word;
    }),
  );
  let at = 0;
  return {
    next: () => 0,
    bytes(count) {
      at += count;
      if (at > all.length) throw new Error('no words left');
      return Buffer.from(all.subarray(at - count, at));
    },
  };
}

function draw(over: Partial<RandomRequest>, random: Random = createSeededRandom(7)) {
  return drawValues(random, { rngEndPoint: 'getIntegers', count: 1, min: 0, max: 9, ...over });
}

const top = 2n ** 64n - 1n;
const whole = Number.MAX_SAFE_INTEGER;

describe('getIntegers (E22.1)', () => {
  test.each([
    ['the first word gives min', { min: 3, max: 5 }, [0n], 3],
    ['max is among them', { min: 3, max: 5 }, [2n], 5],
    [
      'a word of an unfinished row is refused, so that none is more likely',
      { max: 2 },
      [top, 1n],
      1,
    ],
    ['equal bounds give that value', { min: 4, max: 4 }, [top], 4],
    ['bounds may be below 0', { min: -5, max: -3 }, [1n], -4],
    ['up to 2^53-1', { max: whole }, [2n ** 53n - 1n], whole],
    ['over the whole range', { min: -whole, max: whole }, [2n ** 54n - 2n], whole],
  ])('%s', (_, over, from, value) => {
    expect(draw(over, words(...from))).toEqual([value]);
  });

  test('values are whole, within the bounds, and as many as asked for', () => {
    const bound = fc.maxSafeInteger();
    fc.assert(
      fc.property(bound, bound, fc.integer({ min: 1, max: 20 }), (one, other, count) => {
        const [min, max] = [Math.min(one, other), Math.max(one, other)];
        const values = draw({ min, max, count }, systemRandom);
        expect(values).toHaveLength(count);
        for (const value of values) {
          expect(Number.isSafeInteger(value) && value >= min && value <= max).toBe(true);
        }
      }),
    );
  });

  test('each value comes about equally often', () => {
    const counts = Array.from({ length: 6 }, () => 0);
    for (const value of draw({ max: 5, count: 10_000 })) counts[value] = (counts[value] ?? 0) + 1;
    const expected = 10_000 / 6;
    const chi = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(chi).toBeLessThan(20.5);
  });
});

describe('getDoubles (E22.1)', () => {
  const doubles = { rngEndPoint: 'getDoubles' } as const;

  test.each([
    ['min is among them', { min: 2, max: 4 }, [0n], 2],
    ['half of the words are below the middle', { min: 2, max: 4 }, [2n ** 63n], 3],
    ['the last word stays below max', { min: 0, max: 1 }, [top], 1 - 2 ** -53],
    ['one that rounds to max is drawn again', { min: 1, max: 1 + 2 ** -52 }, [top, 0n], 1],
    ['equal bounds give that value', { min: 0.5, max: 0.5 }, [7n], 0.5],
    ['the widest bounds do not overflow', { min: -1e308, max: 1e308 }, [2n ** 63n], 0],
  ])('%s', (_, over, from, value) => {
    expect(draw({ ...doubles, ...over }, words(...from))).toEqual([value]);
  });

  test('values are from min to below max', () => {
    const bound = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(bound, bound, (one, other) => {
        const [min, max] = [Math.min(one, other), Math.max(one, other)];
        for (const value of draw({ ...doubles, min, max, count: 5 }, systemRandom)) {
          expect(value >= min && (value < max || min === max)).toBe(true);
        }
      }),
    );
  });
});

describe('what is refused with 19 (E22.1)', () => {
  test.each([
    ['a count of 0', { count: 0 }],
    ['a count above 10,000', { count: 10_001 }],
    ['half a count', { count: 1.5 }],
    ['min above max', { min: 10 }],
    ['a whole number with decimals', { max: 1.5 }],
    ['one that is not exact', { max: 2 ** 53 }],
    ['no number', { rngEndPoint: 'getDoubles', max: Number.NaN }],
    ['no finite number', { rngEndPoint: 'getDoubles', max: Number.POSITIVE_INFINITY }],
  ] as const)('%s', (_, over) => {
    expect(() => draw(over)).toThrow(EngineRefusedError);
  });

  test('the same seed draws the same values', () => {
    const many = { count: 50, max: 1_000 };
    expect(draw(many, createSeededRandom(1))).toEqual(draw(many, createSeededRandom(1)));
    expect(draw(many, createSeededRandom(1))).not.toEqual(draw(many, createSeededRandom(2)));
  });
});

describe('uuidV5 (E15.4)', () => {
  // RFC 9562, A.4; the others made by Python's uuid.uuid5.
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  const url = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';

  test.each([
    [dns, 'www.example.com', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
    [url, 'round#credit#1', '3d7dc784-951a-5e3d-8a46-5e96c1811263'],
    [dns, 'Grüße', 'd608d6cd-4cee-54a1-8e24-8ca9de8ac858'],
  ])('%s %s is %s', (namespace, name, id) => {
    expect(uuidV5(namespace, name)).toBe(id);
  });

  test('a namespace that is not a UUID is a TypeError', () => {
    expect(() => uuidV5('dns', 'x')).toThrow(TypeError);
  });
});
