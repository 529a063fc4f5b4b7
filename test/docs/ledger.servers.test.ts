import { expect, test } from '@jest/globals';
import { blockOf } from './blocks';
import { runProgram } from './process';
import { userFolder, writeProgram } from './program';

test('the contract runs under node:test as the page says, again with a seed', async () => {
  const folder = await userFolder();
  expect(blockOf('docs/ledger.md', 'seed').after).toContain('node-test');
  const path = await writeProgram(folder, blockOf('docs/ledger.md', 'seed'));
  const output = await runProgram(process.execPath, ['--test-reporter', 'tap', path], {
    cwd: folder,
  });
  expect(output).toMatch(/^# pass 48$/m);
  expect(output).toMatch(/^# fail 0$/m);
});
