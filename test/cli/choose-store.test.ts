import { expect, test } from '@jest/globals';

import { chooseStore } from '../../lib/cli/serve/keep-money';
import { CommandFailure } from '../../lib/cli/terminal/failure';

test.each([
  ['at a terminal in production', true, 'production'],
  ['without a terminal', false, undefined],
] as const)('a store that is named is taken %s', (_, isTerminal, nodeEnv) => {
  expect(chooseStore('memory:', { isTerminal, nodeEnv })).toBe('memory:');
  expect(chooseStore('redis://h', { isTerminal, nodeEnv })).toBe('redis://h');
});

test.each([undefined, 'development', 'test'])(
  'at a terminal, and where NODE_ENV is %s, the store is in memory unless named',
  (nodeEnv) => {
    expect(chooseStore(undefined, { isTerminal: true, nodeEnv })).toBe('memory:');
  },
);

test.each([
  ['no terminal', false, undefined],
  ['no terminal, and development', false, 'development'],
  ['a terminal in production', true, 'production'],
] as const)('with %s a store must be named', (_, isTerminal, nodeEnv) => {
  const choose = () => chooseStore(undefined, { isTerminal, nodeEnv });
  expect(choose).toThrow(CommandFailure);
  expect(choose).toThrow(/^No store: name one with --store or WALLET_STORE/);
});
