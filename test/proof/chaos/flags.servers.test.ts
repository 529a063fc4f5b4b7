import { expect, test } from '@jest/globals';

import { FlagFault, faultsOf, helpText, readFlags } from './flags';
import { storeNames } from './stores/list';

test.each<readonly [string, RegExp]>([
  ['--store oracle', /^--store: there is no "oracle", only redis, postgres, /],
  ['--faults rain', /^--faults: there is no "rain", only /],
  ['--store postgres --faults memory-full', /^--faults: there is no "memory-full", only /],
  ['--store redis,postgres --faults memory-full', /^--faults: postgres has none of these$/],
  ['--seconds 0', /^--seconds must be a number above 0$/],
  ['--hours soon', /^--hours must be a number above 0$/],
  ['--hours 1 --seconds 2', /^--seconds and --hours cannot be combined$/],
  ['--seed -1', /^Option '--seed' argument is ambiguous/],
  ['--seed one', /^--seed must be a whole number$/],
  ['--strore redis', /^Unknown option '--strore'/],
])('%s is refused', (line, message) => {
  const read = (): unknown => readFlags(line.split(' '));
  expect(read).toThrow(FlagFault);
  expect(read).toThrow(message);
});

test('without flags all stores are played for a minute, with all faults', () => {
  const expected = { stores: null, faults: null, seconds: 60, seed: 1, json: null };
  expect(readFlags([])).toEqual(expected);
  expect(readFlags(['--hours', '0.5', '--store', 'standby,redis'])).toEqual({
    ...expected,
    seconds: 1800,
    stores: ['redis', 'standby'],
  });
});

test('the help names every store and every fault', () => {
  expect(readFlags(['--help'])).toBeNull();
  for (const name of storeNames.flatMap((store) => [store, ...faultsOf(store)])) {
    expect(helpText).toMatch(new RegExp(`^ +${name}( |$)`, 'm'));
  }
});
