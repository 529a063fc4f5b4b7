import { afterAll, beforeAll, describe, it } from '@jest/globals';

import { ledgerContract } from '../../../lib/proof';
import { openPostgresLedger } from '../../support/postgres-ledger';
import { type PostgresServer, startPostgres } from '../../support/postgres-server';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.stop());

describe('a table of accounts in PostgreSQL', () => {
  ledgerContract({
    runner: { describe, it, afterAll },
    createLedger: () => openPostgresLedger(server),
  });
});
