// A wallet whose money is in the platform's own tables, in the same database.
import { once } from 'node:events';
import express from 'express';
import { createOperatorRouter, createServer } from 'rgs-wallet-kit';
import { createOwnTablesStore } from 'rgs-wallet-kit/postgres';

/** Where the database is, and who may call. */
export interface Settings {
  readonly databaseUrl: string;
  readonly operatorId: string;
  readonly secret: string;
  readonly port: number;
}

export async function startService({ databaseUrl, operatorId, secret, port }: Settings) {
  const store = createOwnTablesStore({ url: databaseUrl });
  await store.ready(); // calls both functions of the platform, and undoes it

  const operators = [{ operatorId, secrets: [secret] }];
  const wallet = createOperatorRouter({ store, operators });
  const server = createServer(express().use('/wallet', wallet)).listen(port, '127.0.0.1');
  await once(server, 'listening');

  const stop = async () => {
    const isClosed = once(server.close(), 'close');
    await wallet.close(); // from here on each answer closes its connection
    await isClosed;
    await store.close();
  };
  return { server, stop };
}
