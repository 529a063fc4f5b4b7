import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, it } from '@jest/globals';
import { Pool } from 'pg';
import { createMemoryStore } from 'rgs-wallet-kit';
import { createLedgerStore } from 'rgs-wallet-kit/ledger';
import {
  type ContractStoreOptions,
  ledgerContract,
  walletStoreContract,
  walletStoreHistories,
} from 'rgs-wallet-kit/testing';
import { createPostgresLedger } from './ledger';
import { createPostgresPlayers } from './players';

const runner = { describe, it, afterAll };
const pool = new Pool({ connectionString: process.env['DATABASE_URL'] }); // an empty database for tests
const made = pool.query(readFileSync(join(__dirname, 'schema.sql'), 'utf8'));
const [ledger, players] = [createPostgresLedger(pool), createPostgresPlayers(pool)];

ledgerContract({ runner, createLedger: () => made.then(() => ({ ledger, players })) });

const createStore = async (options: ContractStoreOptions) => {
  await made;
  return { store: createLedgerStore({ ledger, journal: createMemoryStore(options) }), players };
};
walletStoreContract({ runner, createStore });
walletStoreHistories({ runner, createStore, histories: 100 });

afterAll(() => pool.end());
