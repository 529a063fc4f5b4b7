import { expect, test } from '@jest/globals';

import { MAIN } from '../cli/cli';
import { blockOf } from './blocks';
import { runProgram } from './process';

test('the command of docs/sandbox.md for CI proves all scenarios and ends with 0', async () => {
  const { code } = blockOf('docs/sandbox.md', 'exit');
  const command = code.trim().replace(/^npx rgs-wallet/, `${process.execPath} ${MAIN}`);
  const output = await runProgram('sh', ['-c', command]);
  expect(output.match(/: proved\./g)).toHaveLength(17);
});
