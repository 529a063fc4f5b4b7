import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { playSeries, type StoreName, type Wire } from '.';
import { openRedisModel as openHost } from '../servers/in-process/redis/host';

test.each<[number, StoreName, Wire]>([
  [2_900_000, 'memory', 'message'],
  [60_000, 'ledger', 'message'],
  [40_000, 'memory', 'http'],
  [3000, 'ledger', 'http'],
  [20_000, 'lua', 'message'],
])('%d calls break no rule over %s, as %s', async (calls, store, wire) => {
  const { failed } = await playSeries({ seed: 1_000_001, calls, store, wire, openHost });
  expect(failed?.played.violation ?? null).toBeNull();
});

test('every planted bug that can be seen is found, and no other', () => {
  const root = join(__dirname, '../..');
  const args = ['--require', './bench/register.cjs', 'test/simulator/command/main.ts', '--planted'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(stdout.split('\n').filter((line) => line.startsWith('!'))).toEqual([]);
  expect(stdout).toMatch(/found of \d+; \d+ cannot be seen/);
});
