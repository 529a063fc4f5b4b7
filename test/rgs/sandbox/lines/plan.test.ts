import { describe, expect, test } from '@jest/globals';
import { createSeededRandom } from '../../../../lib/platform';
import { FaultPlan } from '../../../../lib/rgs/sandbox/lines/faults';
import type { FaultRequest } from '../../../../lib/rgs/sandbox/view/state';

const plan = (seed = 1) => new FaultPlan(createSeededRandom(seed));

/** The decisions for 200 calls, by two faults of even chance. */
function decisions(seed: number): string {
  const faults = plan(seed);
  faults.set({ line: 'rgs-wallet', kind: 'cut', probability: 0.5 });
  faults.set({ line: 'rgs-wallet', kind: 'late', probability: 0.5 });
  return Array.from({ length: 200 }, () => faults.decide('rgs-wallet', 'x')?.kind).join();
}

describe('the plan of faults (F)', () => {
  test('without a number or a probability, the next call of the line alone is hit', () => {
    const faults = plan();
    faults.set({ line: 'rgs-wallet', kind: 'loseReply' });
    expect(faults.decide('provider-rgs', 'addWin')).toBeNull();
    expect(faults.decide('rgs-wallet', 'doTransactions')?.kind).toBe('loseReply');
    expect(faults.decide('rgs-wallet', 'doTransactions')).toBeNull();
    expect(faults.list()).toEqual([]);
  });

  test('"the next n" calls of that name are hit, and no other call', () => {
    const faults = plan();
    faults.set({ line: 'rgs-wallet', call: 'doTransactions', kind: '503', next: 2 });
    const names = [
      'getBalance',
      'doTransactions',
      'getBalance',
      'doTransactions',
      'doTransactions',
    ];
    const kinds = names.map((name) => faults.decide('rgs-wallet', name)?.kind ?? null);
    expect(kinds).toEqual([null, '503', null, '503', null]);
  });

  test('more than 10,000 are not set at once: every call looks at all of them', () => {
    const faults = plan();
    for (let n = 0; n < 10_000; n++) faults.set({ line: 'rgs-wallet', kind: 'late' });
    expect(() => faults.set({ line: 'rgs-wallet', kind: 'late' })).toThrow(/10000 are set/);
    faults.clear();
    expect(faults.set({ line: 'rgs-wallet', kind: 'late' }).left).toBe(1);
  });

  test('a probability is kept until it is cleared, and its hits are counted', () => {
    const faults = plan();
    faults.set({ line: 'rgs-wallet', kind: 'cut', probability: 0.25 });
    let hits = 0;
    for (let n = 0; n < 4000; n++) if (faults.decide('rgs-wallet', 'doTransactions')) hits++;
    expect(hits).toBeGreaterThan(900);
    expect(hits).toBeLessThan(1100);
    expect(faults.list()).toMatchObject([{ left: null, probability: 0.25, hits }]);
    faults.clear();
    expect(faults.decide('rgs-wallet', 'doTransactions')).toBeNull();
  });

  test('the same seed makes the same decisions', () => {
    expect(decisions(7)).toBe(decisions(7));
    expect(decisions(7)).not.toBe(decisions(8));
  });

  test('a call has one fault: the first that is set for it and hits', () => {
    const faults = plan();
    faults.set({ line: 'rgs-wallet', kind: 'cut' });
    faults.set({ line: 'rgs-wallet', kind: 'late', delayMs: 5 });
    expect(faults.decide('rgs-wallet', 'x')).toEqual({ kind: 'cut', delayMs: 0 });
    expect(faults.decide('rgs-wallet', 'x')).toEqual({ kind: 'late', delayMs: 5 });
  });

  test.each([
    ['line', { line: 'moon', kind: 'cut' }],
    ['kind', { line: 'rgs-wallet', kind: 'explode' }],
    ['call', { line: 'rgs-wallet', kind: 'cut', call: 'a b' }],
    ['next', { line: 'rgs-wallet', kind: 'cut', next: 0 }],
    ['next', { line: 'rgs-wallet', kind: 'cut', next: 1, probability: 0.5 }],
    ['probability', { line: 'rgs-wallet', kind: 'cut', probability: 1.5 }],
    ['delayMs', { line: 'rgs-wallet', kind: 'late', delayMs: -1 }],
    ['member', { line: 'rgs-wallet', kind: 'late', nxt: 1 }],
    ['object', []],
    ['object', null],
  ])('a wrong %s is a TypeError that names it', (name, request) => {
    expect(() => plan().set(request as unknown as FaultRequest)).toThrow(TypeError);
    expect(() => plan().set(request as unknown as FaultRequest)).toThrow(name);
  });
});
