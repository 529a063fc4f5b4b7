import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { temporaryFolder } from '../servers/reaper';
import { runProcess } from './cli';

const secret = 'no-report-may-have-this-1';

/** What a crash, and any code in the process, could see at its end: the report's variables, and those of a child. */
const witness = `
const { execFileSync } = require('node:child_process');
process.on('exit', () => {
  const { environmentVariables } = process.report.getReport();
  const seen = execFileSync(process.execPath, ['-p', 'JSON.stringify(process.env)'], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  require('node:fs').writeFileSync(__filename + '.seen', JSON.stringify(environmentVariables) + seen);
});
`;

test.each([
  ['serve', ['serve', '--port', 'none']],
  ['serve that cannot reach its store', ['serve', '--port', '0']],
  ['books', ['books', '--operator', 'casino']],
  ['migrate', ['migrate']],
  ['init', ['init']],
  ['events lag', ['events', 'lag', '--operator', 'casino']],
  ['player', ['player', 'list', '--operator', 'casino']],
  ['rounds', ['rounds', 'attention', '--operator', 'casino']],
  ['sign', ['sign', 'getBalance', '--player', 'ann', '--currency', 'EUR']],
  ['call', ['call', 'stats', '--url', 'http://127.0.0.1:1']],
  ['sandbox', ['sandbox', '--port', 'none']],
  [
    'certify',
    'certify --url http://127.0.0.1:1 --operator-id casino --secret-env OTHER --player ann --currency EUR --yes'.split(
      ' ',
    ),
  ],
])('%s leaves no secret in the diagnostic report, nor for its child processes', async (_, args) => {
  const file = join(await temporaryFolder('secrets'), 'witness.cjs');
  await writeFile(file, witness);
  await runProcess(args, {
    env: {
      NODE_OPTIONS: `--require ${file}`,
      OPERATOR_ID: 'casino',
      OPERATOR_SECRET: secret,
      PROVIDER_SECRET: `${secret}-of-the-provider`,
      WALLET_STORE: `redis://wallet:${secret}@127.0.0.1:1`,
      ...(args[0] === 'certify' ? { OTHER: secret } : {}),
      IS_SEEN: 'this is',
    },
  });
  const seen = await readFile(`${file}.seen`, 'utf8');
  expect(seen.match(/"IS_SEEN":"this is"/g)).toHaveLength(2);
  expect(seen).not.toContain(secret);
});
