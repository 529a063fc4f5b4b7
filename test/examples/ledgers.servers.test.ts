import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { startService } from '../../examples/ledger-postgres/service';
import { startService as startPlatform } from '../../examples/own-tables/service';
import { migratePostgres } from '../../lib/operator/stores/postgres';
import { createRequestSigner } from '../../lib/proof';
import { blocksOf } from '../docs/blocks';
import { preparePlatform } from '../servers/postgres/own-tables';
import { startPostgres } from '../servers/postgres/server';
import { cleanupAfterEach } from '../support/each-test';

const ROOT = join(__dirname, '../..');
const cleanup = cleanupAfterEach();

function readExample(name: string): string {
  return readFileSync(join(ROOT, 'examples', name), 'utf8');
}

/** An empty database. */
async function databaseUrl(): Promise<string> {
  const server = cleanup.after(await startPostgres());
  return server.createDatabase();
}

/** Plays a round of a debit of 10 and a credit of 2.5 to a service. */
async function playRound(
  { address }: Pick<Server, 'address'>,
  account: { readonly operatorId: string; readonly secret: string },
  playerId: string,
): Promise<void> {
  const signer = createRequestSigner(account);
  const names = { playerId, gameCode: 'bells', gameRound: 'r-1' };
  const transactions = [
    { type: 'debit', hash: 'r-1', amount: 10, currency: 'EUR' },
    { type: 'credit', hash: 'c-1', amount: 2.5, currency: 'EUR' },
    { type: 'end', hash: 'e-1' },
  ];
  const call = { ...names, transactions, transactionCount: transactions.length };
  const { path, headers, body = '' } = signer.doTransactions(call);
  const { port } = address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/wallet${path}`;
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
}

test('the service of ledger-postgres plays a round on the table of accounts', async () => {
  const account = { operatorId: 'casino', secret: 'a-secret-of-the-examples' };
  const url = await databaseUrl();
  const pool = cleanup.after(new Pool({ connectionString: url }));
  await pool.query(readExample('ledger-postgres/schema.sql'));
  await migratePostgres({ url });
  await pool.query(`INSERT INTO accounts VALUES ('casino', 'ann', 'EUR', 1000000, NULL)`);
  const service = await startService({ ...account, databaseUrl: url, port: 0 });
  const { server } = cleanup.after(service, ({ stop }) => stop());
  await playRound({ address: () => server.address() }, account, 'ann');
  const { rows } = await pool.query('SELECT balance FROM accounts');
  expect(rows).toEqual([{ balance: '925000' }]);
  const keys = await pool.query('SELECT hash, real FROM posting_keys ORDER BY hash');
  expect(keys.rows).toEqual([
    { hash: 'c-1', real: '25000' },
    { hash: 'r-1', real: '-100000' },
  ]);
});

test("the service of own-tables plays a round on the platform's own tables", async () => {
  const account = { operatorId: 'casino', secret: 'a-secret-of-the-examples' };
  const ann = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  const url = await databaseUrl();
  const pool = cleanup.after(new Pool({ connectionString: url }));
  await preparePlatform(pool);
  await pool.query("INSERT INTO casino.wallets VALUES ($1, 'EUR', 100, NULL)", [ann]);
  const service = await startPlatform({ ...account, databaseUrl: url, port: 0 });
  const { server } = cleanup.after(service, ({ stop }) => stop());
  await playRound({ address: () => server.address() }, account, ann);
  const { rows } = await pool.query('SELECT balance FROM casino.wallets');
  expect(rows).toEqual([{ balance: '92.5000' }]);
  const entries = await pool.query('SELECT hash, kind, real FROM casino.entries ORDER BY id');
  expect(entries.rows).toEqual([
    { hash: 'r-1', kind: 'take', real: '-10.0000' },
    { hash: 'c-1', kind: 'give', real: '2.5000' },
  ]);
});

test.each([
  ['docs/ledger.md', ['ledger-postgres', 'ledger-http']],
  ['docs/own-tables.md', ['own-tables']],
])('the code of %s stands in the examples', (page, folders) => {
  const sources = folders.flatMap((folder) =>
    readdirSync(join(ROOT, 'examples', folder)).map((name) => readExample(join(folder, name))),
  );
  const blocks = blocksOf(page).flatMap((block) => (block.isExcerpt ? block.code : []));
  expect(blocks.length).toBeGreaterThan(4);
  const strangers = blocks.flatMap((block) =>
    block.split(/^ *(?:\/\/|--) \.\.\.\n/m).filter((part) => {
      return !sources.some((source) => source.includes(part.trim()));
    }),
  );
  expect(strangers).toEqual([]);
});
