import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Pool } from 'pg';

import { createPostgresLedger } from '../../../examples/ledger-postgres/ledger';
import { createPostgresPlayers } from '../../../examples/ledger-postgres/players';
import type { ContractLedger } from '../../../lib/proof';
import type { PostgresServer } from './server';

const SCHEMA = join(__dirname, '../../../examples/ledger-postgres/schema.sql');

/** The ledger of the example on tables of its own, in a new database of the server. */
export interface PostgresLedger extends ContractLedger {
  readonly pool: Pool;
  close(): Promise<void>;
}

/** Makes the example's tables, and its ledger and players over them. */
export async function openPostgresLedger(server: PostgresServer): Promise<PostgresLedger> {
  const pool = new Pool({ connectionString: await server.createDatabase(), max: 10 });
  pool.on('error', () => undefined); // a server that is killed breaks off idle connections too
  await pool.query(readFileSync(SCHEMA, 'utf8'));
  return {
    pool,
    ledger: createPostgresLedger(pool),
    players: createPostgresPlayers(pool),
    close: () => pool.end(),
  };
}
