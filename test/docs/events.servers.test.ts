import { expect, test } from '@jest/globals';

import { runCli } from '../cli/cli';
import { blockOf } from './blocks';
import { startProgram } from './process';
import { userFolder, writeProgram } from './program';
import { cleanupAfterEach } from '../support/each-test';

const page = 'docs/events.md';
const cleanup = cleanupAfterEach();

test('the bridge of the page runs, waits for events, and ends by a signal', async () => {
  const folder = await userFolder();
  const path = await writeProgram(folder, blockOf(page, 'bridge'), {
    "process.on('SIGTERM', () => stopping.abort());":
      "process.on('SIGTERM', () => stopping.abort());\nconsole.log('started');",
  });
  const running = startProgram(process.execPath, [path], { cwd: folder });
  cleanup.after(running, ({ stop }) => stop());
  await running.writes('started');
  await running.stop();
  expect([await running.exit, running.output()]).toEqual([0, 'started\n']);
});

test('each command of the page exists, with these flags', async () => {
  const lines = blockOf(page, 'events-commands').code.trim().split('\n');
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    const [, , command = '', ...words] = line.replace(/ +#.*$/, '').split(' ');
    const { code, stdout } = await runCli(['events', command, '--help']);
    expect(code).toBe(0);
    for (const flag of words.filter((word) => word.startsWith('--'))) {
      expect(stdout).toContain(`${flag} <`);
    }
  }
});
