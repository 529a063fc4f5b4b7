import { describe, expect, test } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import { scaleStakes } from '../../lib/provider';

describe('scaleStakes multiplies each base stake once, exactly (game-engine-api 4.16)', () => {
  test.each([
    [[10, 20, 50], '1', [10n, 20n, 50n]],
    [[10, 20, 50], '6', [60n, 120n, 300n]],
    [[10, 20], '0.5', [5n, 10n]],
    [[10n, '25'], '150', [1500n, 3750n]],
    [['0.5', '12.5'], '2', [1n, 25n]],
    [[10], '0.10', [1n]],
    [[9007199254740991n], '1.000', [9007199254740991n]],
  ])('%j times %s', (base, multiplier, scaled) => {
    expect(scaleStakes(base, multiplier)).toEqual(scaled);
  });

  test.each([
    [[15], '0.5', 'stake 0 would not be whole'],
    [[10, 1], '0.1', 'stake 1 would not be'],
    [[0], '2', 'stake 0 would not be from 1 to 2^53-1'],
    [[9007199254740991n], '2', 'stake 0 would not be from 1 to 2^53-1'],
    [[0.1], '10', 'stake 0 must be a bigint, a safe integer or a decimal text'],
    [[10], '1e3', 'the multiplier must be a decimal text'],
    [[10], '-1', 'the multiplier must be a decimal text'],
    [['-1'], '1', 'stake 0 must be a decimal text'],
  ])('%j times %s is a TypeError: %s', (base, multiplier, problem) => {
    const call = () => scaleStakes(base, multiplier);
    expect(call).toThrow(TypeError);
    expect(call).toThrow(problem.slice(0, 30));
  });

  test('a multiplier with decimals gives what whole numbers give', () => {
    const whole = integer({ min: 1, max: 1_000_000 });
    assert(
      property(whole, whole, integer({ min: 0, max: 6 }), (stake, factor, decimals) => {
        const unit = 10 ** decimals;
        const digits = String(factor).padStart(decimals + 1, '0');
        const point = digits.length - decimals;
        const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
        expect(scaleStakes([BigInt(stake) * BigInt(unit)], text)).toEqual([
          BigInt(stake) * BigInt(factor),
        ]);
      }),
    );
  });
});
