import { afterAll, beforeAll, describe, it } from '@jest/globals';

import { ledgerContract } from '../../../lib/proof';
import { openPostgresLedger } from '../../servers/postgres/ledger';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';

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
