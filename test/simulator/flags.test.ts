import { expect, test } from '@jest/globals';
import { readFlags } from './command/flags';

test('without flags, a hundred thousand calls from seed 1 over memory are played', () => {
  expect(readFlags([])).toMatchObject({ seed: 1, calls: 100_000, store: 'memory', shrink: true });
});

test('--help asks for the help text', () => {
  expect(readFlags(['--help'])).toBeNull();
});

test.each([
  [['--seed', '0'], '--seed must be a whole number above 0'],
  [['--calls', 'many'], '--calls must be a whole number above 0'],
  [['--store', 'disk'], '--store must be one of memory, ledger, lua'],
  [['--sed', '1'], "Unknown option '--sed'"],
])('%j is refused with its reason', (args, reason) => {
  expect(() => readFlags(args)).toThrow(reason);
});
