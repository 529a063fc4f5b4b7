import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, it } from '@jest/globals';
import { Pool } from 'pg';
import { createOwnTablesStore, migratePostgres } from 'rgs-wallet-kit/postgres';
import {
  type ContractStoreOptions,
  ownTablesContract,
  walletStoreContract,
  walletStoreHistories,
} from 'rgs-wallet-kit/testing';
import { createPlatformPlayers, uuidOf } from './players';

const runner = { describe, it, afterAll };
const pool = new Pool({ connectionString: process.env['DATABASE_URL'] }); // an empty database for tests
const sql = (name: string) => readFileSync(join(__dirname, name), 'utf8');

const prepare = async () => {
  await pool.query(sql('platform.sql'));
  await migratePostgres({ pool });
  await pool.query(sql('functions.sql'));
};
const prepared = prepare();

const createStore = async (options: ContractStoreOptions) => {
  await prepared;
  return {
    // A slow machine is no fault, and the suites open stores of several retentions beside each other.
    store: createOwnTablesStore({ ...options, pool, commandTimeoutMs: 60_000, acceptMixed: true }),
    players: createPlatformPlayers(pool),
    isAtomic: true,
    oneOperator: { operatorId: 'casino', playerId: uuidOf },
  };
};
walletStoreContract({ runner, createStore, follows: true });
ownTablesContract({ runner, createStore });
walletStoreHistories({ runner, createStore, histories: 100 });

afterAll(() => pool.end());
