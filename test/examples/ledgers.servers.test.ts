import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { startService } from '../../examples/ledger-postgres/service';
import { createRequestSigner } from '../../lib/proof';
import { blocksOf } from '../docs/blocks';
import { Cleanup } from '../servers/cleanup';
import { startPostgres } from '../servers/postgres/server';
import { reapWithThisProcess } from '../servers/reaper';

const ROOT = join(__dirname, '../..');
const cleanup = new Cleanup();

afterEach(() => cleanup.run());

function readExample(name: string): string {
  return readFileSync(join(ROOT, 'examples', name), 'utf8');
}

/** An empty database. */
async function databaseUrl(): Promise<string> {
  const server = cleanup.after(await startPostgres(), (started) => started.stop());
  return server.createDatabase();
}

test('the contract file of ledger-postgres is green as a user runs it', async () => {
  const jest = join(ROOT, 'node_modules/.bin/jest');
  const path = 'examples/ledger-postgres/contract.test.ts';
  const args = ['--selectProjects', 'fast', '--testMatch', `**/${path}`, '--runInBand', '--silent'];
  const env = { ...process.env, DATABASE_URL: await databaseUrl() };
  const child = spawn(jest, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  reapWithThisProcess(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString('utf8');
    });
  }
  const [code] = (await once(child, 'exit')) as [number | null];
  // In full, because a failed history prints its seed in it.
  if (code !== 0) throw new Error(`jest ended with ${code}:\n${output}`);
  expect(output).toMatch(/Tests: +\d+ passed, \d+ total/);
});

test('the service of ledger-postgres plays a round on the table of accounts', async () => {
  const account = { operatorId: 'casino', secret: 'a-secret-of-the-examples' };
  const url = await databaseUrl();
  const pool = cleanup.after(new Pool({ connectionString: url }), (one) => one.end());
  await pool.query(readExample('ledger-postgres/schema.sql'));
  await pool.query(`INSERT INTO accounts VALUES ('casino', 'ann', 'EUR', 1000000, NULL)`);
  const service = await startService({ ...account, databaseUrl: url, port: 0 });
  const { server } = cleanup.after(service, ({ stop }) => stop());

  const signer = createRequestSigner(account);
  const names = { playerId: 'ann', gameCode: 'bells', gameRound: 'r-1' };
  const transactions = [
    { type: 'debit', hash: 'r-1', amount: 10, currency: 'EUR' },
    { type: 'credit', hash: 'c-1', amount: 2.5, currency: 'EUR' },
    { type: 'end', hash: 'e-1' },
  ];
  const call = { ...names, transactions, transactionCount: transactions.length };
  const { path, headers, body = '' } = signer.doTransactions(call);
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/wallet${path}`, {
    method: 'POST',
    headers,
    body,
  });
  expect(answer.status).toBe(200);
  const { rows } = await pool.query('SELECT balance FROM accounts');
  expect(rows).toEqual([{ balance: '925000' }]);
  const keys = await pool.query('SELECT hash, real FROM posting_keys ORDER BY hash');
  expect(keys.rows).toEqual([
    { hash: 'c-1', real: '25000' },
    { hash: 'r-1', real: '-100000' },
  ]);
});

test('the code of docs/ledger.md stands in the examples', () => {
  const sources = ['ledger-postgres', 'ledger-http'].flatMap((folder) =>
    readdirSync(join(ROOT, 'examples', folder)).map((name) => readExample(join(folder, name))),
  );
  const blocks = blocksOf('docs/ledger.md').flatMap((block) => (block.isExcerpt ? block.code : []));
  expect(blocks.length).toBeGreaterThan(4);
  const strangers = blocks.flatMap((block) =>
    block.split(/^ *(?:\/\/|--) \.\.\.\n/m).filter((part) => {
      return !sources.some((source) => source.includes(part.trim()));
    }),
  );
  expect(strangers).toEqual([]);
});
