import { expect, test } from '@jest/globals';

import { blockOf } from './blocks';
import { runProgram } from './process';
import { userFolder, writeProgram } from './program';

test('the program of docs/limits.md prints what it says', async () => {
  const folder = await userFolder();
  const path = await writeProgram(folder, blockOf('docs/limits.md', 'limits'));
  expect(await runProgram(process.execPath, [path], { cwd: folder })).toBe(
    'limitReached\nloss 0 200\ndeposit 400 100\n',
  );
});
