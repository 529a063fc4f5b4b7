import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const ROOT = join(__dirname, '../..');

/** The texts of the faults of 4,000 hostile inputs, in a process whose memory nobody else holds or releases. */
async function faultsWhenKept(bytesOfAnInput: number): Promise<unknown> {
  const args = ['--require', './bench/register.cjs', 'test/bench/leaking.ts'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...args, String(bytesOfAnInput)],
    {
      cwd: ROOT,
    },
  );
  return JSON.parse(stdout);
}

test('the judge of hostile inputs finds memory that every request leaves behind, and only that', async () => {
  const found = await Promise.all([faultsWhenKept(25_000), faultsWhenKept(0)]);
  expect(found).toEqual([[expect.stringMatching(/^\d+ MB more are held$/)], []]);
});
