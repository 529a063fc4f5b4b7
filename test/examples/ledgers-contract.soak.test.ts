import { afterEach, test } from '@jest/globals';

import { Cleanup } from '../servers/cleanup';
import { startPostgres } from '../servers/postgres/server';
import { runContract } from './contract-run';

const cleanup = new Cleanup();

afterEach(() => cleanup.run());

// In `npm test` the contract suites of test/proof/contracts play them over PostgreSQL.
test.each(['ledger-postgres', 'own-tables'])(
  'the contract file of %s is green as a user runs it, from an empty database',
  async (example) => {
    const server = cleanup.after(await startPostgres());
    await runContract(example, await server.createDatabase());
  },
);
