import type { MigrationReport } from '../../operator/stores/postgres';
import type { StoreOptions } from '../../operator/stores/store-options';
import type { AccountStore, EventSource } from '../../operator/wallet';
import type { Logger } from '../../platform';
import { CommandFailure, messageOf } from '../terminal/failure';
import type { StoreFlags } from '../terminal/flags';
import { loadPeer } from './load-peer';

/** Addresses of PostgreSQL. */
export const postgresForm = /^postgres(?:ql)?:\/\//;

/** @throws CommandFailure for a wrong flag, or if pg is not installed. */
export function createPostgres(
  flags: StoreFlags,
  options: StoreOptions,
  logger: Logger,
): AccountStore & EventSource {
  const { store: url, acceptLoss, schema, migrate, sessionTimeouts } = flags;
  const { createPostgresStore } = loadPostgres();
  try {
    return createPostgresStore({
      ...options,
      url,
      logger,
      acceptLoss: acceptLoss === true,
      migrate: migrate === true,
      sessionTimeouts,
      ...(schema === undefined ? {} : { schema }),
    });
  } catch (error) {
    throw new CommandFailure(`--store: ${messageOf(error)}`);
  }
}

/** Brings the schema up to date. @throws CommandFailure if pg is not installed; what migratePostgres throws. */
export async function migrateSchema(url: string, schema?: string): Promise<MigrationReport> {
  return loadPostgres().migratePostgres({ url, ...(schema === undefined ? {} : { schema }) });
}

function loadPostgres(): typeof import('../../operator/stores/postgres') {
  return loadPeer(
    'pg',
    'A PostgreSQL store',
    () =>
      require('../../operator/stores/postgres') as typeof import('../../operator/stores/postgres'),
  );
}
