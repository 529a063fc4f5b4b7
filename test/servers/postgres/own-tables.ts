import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Pool } from 'pg';

import { createPlatformPlayers, uuidOf } from '../../../examples/own-tables/players';
import type { WalletStore } from '../../../lib/operator/wallet';
import { migratePostgres } from '../../../lib/operator/stores/postgres';
import type { ContractWallet } from '../../../lib/proof';

const FOLDER = join(__dirname, '../../../examples/own-tables');

/** A file of the example. */
export function exampleSql(name: 'platform' | 'functions'): string {
  return readFileSync(join(FOLDER, `${name}.sql`), 'utf8');
}

/** Makes the example's platform in an empty database: its tables, the schema of the wallet, its two functions. */
export async function preparePlatform(pool: Pool): Promise<void> {
  await pool.query(exampleSql('platform'));
  await migratePostgres({ pool });
  await pool.query(exampleSql('functions'));
}

/** A store over the example's platform, for the suites. */
export function platformWallet(store: WalletStore, pool: Pool): ContractWallet {
  const oneOperator = { operatorId: 'casino', playerId: uuidOf };
  return { store, players: createPlatformPlayers(pool), isAtomic: true, oneOperator };
}
