// The names that a user's program imports from each subpath. It is compiled unchanged against the packed
// package.
import express from 'express';
import {
  createMemoryStore,
  createOperatorHandler,
  createOperatorRouter,
  createServer,
  type OperatorOptions,
  StoreUnsafeError,
} from 'rgs-wallet-kit';
import { createRgsClient, RgsClientError } from 'rgs-wallet-kit/client';
import { createLedgerStore, type Ledger, startSweeper } from 'rgs-wallet-kit/ledger';
import { createMemoryStore as createJournal } from 'rgs-wallet-kit/memory';
import { createPostgresStore } from 'rgs-wallet-kit/postgres';
import { createRedisStore } from 'rgs-wallet-kit/redis';
import { Secret } from 'rgs-wallet-kit/signature';
import type { AccountStore, RoundChange } from 'rgs-wallet-kit/store';
import { createMemoryLedger, createRequestSigner, ledgerContract } from 'rgs-wallet-kit/testing';

/** A store, by the kind of address that it has. */
export function storeAt(url: string): AccountStore {
  if (url.startsWith('redis:')) return createRedisStore({ url });
  return url.startsWith('postgres:') ? createPostgresStore({ url }) : createMemoryStore();
}

/** The wallet in an app, and the sweeper of its ledger. */
export function mount(ledger: Ledger, { operators }: Pick<OperatorOptions, 'operators'>) {
  const store = createLedgerStore({ ledger, journal: createJournal() });
  const app = express().use('/wallet', createOperatorRouter({ store, operators }));
  const operatorIds = operators.map(({ operatorId }) => operatorId);
  return { server: createServer(app), sweeper: startSweeper({ store, operatorIds }) };
}

/** Whether a person must look before anything is tried again. */
export function isForPeople(error: unknown): boolean {
  return error instanceof StoreUnsafeError || error instanceof RgsClientError;
}

/** The version that a change is decided on. */
export function versionOf(change: RoundChange): number {
  return change.before.version;
}

export { createMemoryLedger, createOperatorHandler, createRequestSigner, createRgsClient };
export { ledgerContract, Secret };
