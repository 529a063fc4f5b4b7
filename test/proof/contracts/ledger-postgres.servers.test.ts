import { afterAll, describe, it } from '@jest/globals';

import { ledgerContract } from '../../../lib/proof';
import { openPostgresLedger } from '../../servers/postgres/ledger';
import { startPostgres } from '../../servers/postgres/server';
import { serverOfFile } from '../../support/each-test';

const server = serverOfFile(startPostgres);

describe('a table of accounts in PostgreSQL', () => {
  ledgerContract({
    runner: { describe, it, afterAll },
    createLedger: () => openPostgresLedger(server()),
  });
});
