import type {
  MigratePostgresOptions,
  MigrationReport,
  OwnTablesStore,
  PostgresStoreOptions,
} from '../../operator/stores/postgres';
import type { MixedOptions } from '../../operator/stores/companions';
import type { LineageOptions } from '../../operator/stores/lineage';
import type { StoreOptions } from '../../operator/stores/store-options';
import type { FullStore } from '../../operator/wallet';
import type { Logger } from '../../platform';
import { CommandFailure, messageOf } from '../terminal/failure';
import type { StoreFlags } from '../terminal/flags';
import { loadPeer } from '../terminal/load-default';

/** Addresses of PostgreSQL. */
export const postgresForm = /^postgres(?:ql)?:\/\//;

/** @throws CommandFailure for a wrong flag, or if pg is not installed. */
export function createPostgres(
  flags: StoreFlags,
  options: StoreOptions & LineageOptions & MixedOptions,
  logger: Logger,
): FullStore {
  return create(flags, options, logger, loadPostgres().createPostgresStore);
}

/** A store over tables of the platform's own. @throws CommandFailure for a wrong flag, or if pg is not installed. */
export function createOwnTables(
  flags: StoreFlags,
  options: StoreOptions & LineageOptions & MixedOptions,
  logger: Logger,
): OwnTablesStore {
  return create(flags, options, logger, loadPostgres().createOwnTablesStore);
}

function create<T>(
  flags: StoreFlags,
  options: StoreOptions & LineageOptions & MixedOptions,
  logger: Logger,
  open: (options: PostgresStoreOptions) => T,
): T {
  const { store: url, acceptLoss, schema, migrate, init, sessionTimeouts } = flags;
  try {
    return open({
      ...options,
      url,
      logger,
      acceptLoss: acceptLoss === true,
      migrate: migrate === true,
      init: init === true,
      sessionTimeouts,
      ...(schema === undefined ? {} : { schema }),
    });
  } catch (error) {
    throw new CommandFailure(`--store: ${messageOf(error)}`);
  }
}

/** Brings the schema up to date. @throws CommandFailure if pg is not installed; what migratePostgres throws. */
export async function migrateSchema(options: MigratePostgresOptions): Promise<MigrationReport> {
  return loadPostgres().migratePostgres(options);
}

function loadPostgres(): typeof import('../../operator/stores/postgres') {
  return loadPeer(
    'pg',
    'A PostgreSQL store',
    () =>
      require('../../operator/stores/postgres') as typeof import('../../operator/stores/postgres'),
  );
}
