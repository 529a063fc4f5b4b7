// A wallet whose money stays in the platform's table: rounds and intents in a schema of the same database, the money in
// `accounts`. The sweeper runs in every instance.
import { once } from 'node:events';
import express from 'express';
import { Pool } from 'pg';
import { createOperatorRouter, createServer } from 'rgs-wallet-kit';
import { createLedgerStore, startSweeper } from 'rgs-wallet-kit/ledger';
import { createPostgresStore } from 'rgs-wallet-kit/postgres';
import { createPostgresLedger } from './ledger';

/** Where the database is, and who may call. */
export interface Settings {
  readonly databaseUrl: string;
  readonly operatorId: string;
  readonly secret: string;
  readonly port: number;
}

export async function startService({ databaseUrl, operatorId, secret, port }: Settings) {
  // Time limits of the server end a query that the wallet does not wait for any more.
  const limits = { connectionTimeoutMillis: 1000, statement_timeout: 1500, lock_timeout: 1000 };
  const pool = new Pool({ connectionString: databaseUrl, max: 20, ...limits });
  pool.on('error', (error) => console.error(error));
  const journal = createPostgresStore({ url: databaseUrl, migrate: true });
  const store = createLedgerStore({ ledger: createPostgresLedger(pool), journal });
  await store.ready();

  const sweeper = startSweeper({ store, operatorIds: [operatorId] });
  const operators = [{ operatorId, secrets: [secret] }];
  const wallet = createOperatorRouter({ store, operators });
  const server = createServer(express().use('/wallet', wallet)).listen(port, '127.0.0.1');
  await once(server, 'listening');

  const stop = async () => {
    const isClosed = once(server.close(), 'close');
    await sweeper.stop();
    await wallet.close(); // from here on each answer closes its connection
    await isClosed;
    await store.close(); // closes the journal too
    await pool.end();
  };
  return { server, stop };
}
