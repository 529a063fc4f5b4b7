import { execFile } from 'node:child_process';

import { expect, test } from '@jest/globals';

import { startService } from '../cli/cli';
import { healthCommand } from './dockerfile';

/** The exit code of the image's health check, for a service on the port. */
async function exitCodeAt(port: number): Promise<number | null> {
  const [program = '', ...args] = healthCommand();
  expect(program).toBe('node');
  const env = { PATH: process.env['PATH'] ?? '', PORT: String(port) };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env });
    child.once('exit', resolve);
  });
}

test('the health check of the image passes while the service lives, and fails when it is gone', async () => {
  const service = await startService();
  expect(await exitCodeAt(service.port)).toBe(0);
  expect(await service.stop()).toBe(0);
  expect(await exitCodeAt(service.port)).toBe(1);
});
