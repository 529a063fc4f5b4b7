import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { transformFile } from '@swc/core';

import { temporaryFolder } from '../servers/reaper';

const ROOT = join(__dirname, '../..');

/** A call that changes nothing and is answered with the current round: a repeat, or a query. */
export async function exampleLedgerFile(): Promise<string> {
  const folder = await temporaryFolder('ledger');
  const { code } = await transformFile(join(ROOT, 'examples/ledger-postgres/ledger.ts'), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
  });
  await writeFile(join(folder, 'ledger.js'), code);
  const path = join(folder, 'index.cjs');
  await writeFile(
    path,
    `const { Pool } = require(${JSON.stringify(join(ROOT, 'node_modules/pg'))});
const { createPostgresLedger } = require('./ledger.js');
module.exports = () => {
  const pool = new Pool({ connectionString: process.env.LEDGER_DATABASE, query_timeout: 1000 });
  pool.on('error', () => {});
  return { ...createPostgresLedger(pool), close: () => pool.end() };
};
`,
  );
  return path;
}
