import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { transformFile } from '@swc/core';

import { temporaryFolder } from '../../servers/reaper';
import { ROOT } from '../../tidy/source';

/** The example over PostgreSQL as a file for `serve --ledger`; its database is LEDGER_DATABASE. */
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
  const pool = new Pool({ connectionString: process.env.LEDGER_DATABASE, query_timeout: Number(process.env.LEDGER_TIMEOUT_MS ?? 1000) });
  pool.on('error', () => {});
  return { ...createPostgresLedger(pool), close: () => pool.end() };
};
`,
  );
  return path;
}
