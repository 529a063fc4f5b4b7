import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from '@jest/globals';

import { createMetrics } from '../../lib/operator/telemetry';
import type { WalletStore } from '../../lib/operator/wallet';
import { findPromtool } from '../servers/prometheus/binary';
import { ROOT } from '../tidy/source';

const run = promisify(execFile);
const folder = join(ROOT, 'docs/monitoring');

test('promtool accepts the alerting rules, and their tests pass', async () => {
  const promtool = await findPromtool();
  const { stdout } = await run(promtool, ['check', 'rules', 'alerts.yml'], { cwd: folder });
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
  const tested = await run(promtool, ['test', 'rules', 'alerts.test.yml'], { cwd: folder });
  expect(tested.stdout).toContain('SUCCESS');
});

test('promtool finds nothing wrong with the exposition, whatever the configured operators are called', async () => {
  const metrics = createMetrics();
  const { recorder } = metrics;
  const store = { lists: { attention: async function* () {} } } as unknown as WalletStore;
  const operatorIds = ['acme', 'a"b\\c\nd', '} 1\nforged 1', 'käse\u2028'];
  recorder.watchWallet({ store, operatorIds, inFlight: () => 3 });
  recorder.watchBreaker(() => 'open');
  const text = await metrics.text();
  metrics.close();
  expect(text).not.toMatch(/^forged/m);
  expect(await findings(text)).toEqual({ code: 0, output: '' });
  expect((await findings('a b c\n')).code).not.toBe(0);
});

/** What `promtool check metrics` says of an exposition. */
async function findings(text: string): Promise<{ code: number; output: string }> {
  const child = spawn(await findPromtool(), ['check', 'metrics']);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => void (output += piece));
  }
  child.stdin.end(text);
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}
