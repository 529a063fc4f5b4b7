import { join } from 'node:path';

import { beforeAll, expect, test } from '@jest/globals';
import { ROOT } from '../tidy/source';
import { blockOf } from './blocks';
import { runProgram } from './process';
import { userFolder, writeProgram } from './program';

const page = 'docs/testing.md';
let folder: string;

beforeAll(async () => {
  folder = await userFolder();
});

test('the tests of docs/testing.md pass under node --test, all five', async () => {
  const path = await writeProgram(folder, blockOf(page, 'time'));
  const output = await runProgram(process.execPath, ['--test', '--test-reporter=tap', path], {
    cwd: folder,
  });
  expect(output).toMatch(/^# pass 5$/m);
  expect(output).toMatch(/^# fail 0$/m);
});

test('they pass under jest, with the import that the page names', async () => {
  const path = await writeProgram(folder, blockOf(page, 'time'), { 'node:test': '@jest/globals' });
  const config = {
    rootDir: folder,
    testMatch: [path],
    testEnvironment: 'node',
    transform: {
      '\\.mjs$': [join(ROOT, 'node_modules/@swc/jest'), { module: { type: 'commonjs' } }],
    },
    moduleFileExtensions: ['mjs', 'js', 'json'],
  };
  const args = ['--config', JSON.stringify(config), '--runInBand'];
  const output = await runProgram(join(ROOT, 'node_modules/.bin/jest'), args, { cwd: folder });
  expect(output).toMatch(/^Tests: +5 passed, 5 total$/m);
});
