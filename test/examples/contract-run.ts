import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { expect } from '@jest/globals';

import { reapWithThisProcess } from '../servers/reaper';

const ROOT = join(__dirname, '../..');

/** Runs the contract file of an example by jest, as a user does; it must be green. */
export async function runContract(example: string, databaseUrl: string): Promise<void> {
  const jest = join(ROOT, 'node_modules/.bin/jest');
  const testMatch = `**/examples/${example}/contract.test.ts`;
  const args = ['--selectProjects', 'fast', '--testMatch', testMatch, '--runInBand', '--silent'];
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const child = spawn(jest, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  reapWithThisProcess(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString('utf8');
    });
  }
  const [code] = (await once(child, 'exit')) as [number | null];
  // In full, because a failed history prints its seed in it.
  if (code !== 0) throw new Error(`jest ended with ${code}:\n${output}`);
  expect(output).toMatch(/Tests: +\d+ passed, \d+ total/);
}
