import { test } from '@jest/globals';

import { startPostgres } from '../servers/postgres/server';
import { runContract } from './contract-run';
import { cleanupAfterEach } from '../support/each-test';

const cleanup = cleanupAfterEach();

// In `npm test` the contract suites of test/proof/contracts play them over PostgreSQL.
test.each(['ledger-postgres', 'own-tables'])(
  'the contract file of %s is green as a user runs it, from an empty database',
  async (example) => {
    const server = cleanup.after(await startPostgres());
    await runContract(example, await server.createDatabase());
  },
);
