import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { openPostgresJournal } from '../../examples/journal-postgres/journal';
import { blocksOf } from '../docs/blocks';
import { type PostgresServer, startPostgres } from '../servers/postgres/server';
import { runContract } from './contract-run';
import { cleanupAfterEach } from '../support/each-test';

const EXAMPLE = join(__dirname, '../../examples/journal-postgres');
const cleanup = cleanupAfterEach();

function readExample(name: string): string {
  return readFileSync(join(EXAMPLE, name), 'utf8');
}

async function started(): Promise<PostgresServer> {
  return cleanup.after(await startPostgres());
}

/** An empty journal in a database of its own. */
async function newPool(server: PostgresServer): Promise<Pool> {
  const pool = new Pool({ connectionString: await server.createDatabase() });
  pool.on('error', () => undefined); // a server that is killed breaks off idle connections too
  await pool.query(readExample('schema.sql'));
  return cleanup.after(pool);
}

async function numbersIn(pool: Pool): Promise<unknown[]> {
  const numbers: unknown[] = [];
  for await (const { number } of (await openPostgresJournal(pool)).replay()) numbers.push(number);
  return numbers;
}

test('the contract file of journal-postgres is green as a user runs it', async () => {
  await runContract('journal-postgres', await (await started()).createDatabase());
});

test('the journal of journal-postgres stops one of two writers', async () => {
  const pool = await newPool(await started());
  const first = await openPostgresJournal(pool);
  const second = await openPostgresJournal(pool);
  await second.append([{ type: 'noted', number: 1 }]);
  await expect(first.append([{ type: 'noted', number: 2 }])).rejects.toThrow('duplicate key');
  await expect(first.append([{ type: 'noted', number: 3 }])).rejects.toThrow('duplicate key');
  await second.compact([{ type: 'noted', number: 10 }]);
  await second.append([{ type: 'noted', number: 11 }]);
  expect(await numbersIn(pool)).toEqual([10, 11]);
});

test('the journal of journal-postgres keeps what it acknowledged when the server is killed', async () => {
  const server = await started();
  const pool = await newPool(server);
  const journal = await openPostgresJournal(pool);
  let acknowledged = 0;
  let killing: Promise<void> | undefined;
  const appending = (async () => {
    for (let number = 1; ; number++) {
      await journal.append([{ type: 'noted', number }]);
      acknowledged = number;
      if (number === 50) killing = server.kill9();
    }
  })();
  await expect(appending).rejects.toThrow();
  await expect(journal.append([])).rejects.toThrow();
  await killing;
  await server.restart();
  const found = await numbersIn(pool);
  expect(found.length).toBeGreaterThanOrEqual(acknowledged);
  expect(found).toEqual(found.map((_, at) => at + 1));
});

test('the code of docs/journal.md stands in the example', () => {
  const blocks = blocksOf('docs/journal.md').filter(({ isExcerpt }) => isExcerpt);
  expect(blocks).toHaveLength(1);
  const contract = readExample('contract.test.ts');
  expect(blocks.filter(({ code }) => !contract.includes(code.trim()))).toEqual([]);
});
