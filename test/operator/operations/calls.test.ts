import { expect, test } from '@jest/globals';

import { createCallWatch } from '../../../lib/operator/operations';
import { open, storeWithAnn } from './fixture';

test.each<[string, number[], string]>([
  ['without a call', [], 'The store is ready'],
  ['with calls', [200, 503], 'Money is moving'],
  ['with failed calls alone', [503, 503], 'No money moves: every call fails'],
])('the start page says whether money moves, %s', async (_, statuses, said) => {
  const calls = createCallWatch();
  for (const status of statuses) calls.onOutcome({ status });
  const { text } = await open(await storeWithAnn(), { calls }).get('/');
  expect(text).toContain(`<strong>${said}</strong>`);
});
