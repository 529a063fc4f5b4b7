import { expect, test } from '@jest/globals';

import { runCli } from './cli';

test('storm: after 1,000 rounds with every fault and two kills the three books agree (B3)', async () => {
  const { code, stdout } = await runCli(['sandbox', 'play', 'storm', '--seed', '42']);
  expect(stdout).toContain('Seed 42:');
  expect(stdout).toContain('every fault has struck');
  expect(stdout).toContain('storm: proved.');
  expect(stdout).toContain('The books agree.');
  expect(code).toBe(0);
});
