import type { PostgresStoreOptions } from '../../operator/stores/postgres';
import type { MixedOptions } from '../../operator/stores/companions';
import type { LineageOptions } from '../../operator/stores/lineage';
import type { StoreOptions } from '../../operator/stores/store-options';
import type { Logger } from '../../platform';
import { orFail } from '../terminal/failure';
import type { StoreFlags } from '../terminal/flags';
import { loadPeer } from '../terminal/load-default';
import { defined } from '../../platform/validation/defined';

/** Addresses of PostgreSQL. */
export const postgresForm = /^postgres(?:ql)?:\/\//;

/** A store, with the money where `maker` keeps it. @throws CommandFailure for a wrong flag, or if pg is not installed. */
export function createPostgres<Maker extends 'createPostgresStore' | 'createOwnTablesStore'>(
  maker: Maker,
  flags: StoreFlags,
  options: StoreOptions & LineageOptions & MixedOptions,
  logger: Logger,
): ReturnType<Postgres[Maker]> {
  const { store: url, acceptLoss, schema, migrate, init, sessionTimeouts } = flags;
  const make = loadPostgres()[maker] as (
    options: PostgresStoreOptions,
  ) => ReturnType<Postgres[Maker]>;
  return orFail('--store', () =>
    make({
      ...options,
      url,
      logger,
      acceptLoss: acceptLoss === true,
      migrate: migrate === true,
      init: init === true,
      sessionTimeouts,
      ...defined({ schema }),
    }),
  );
}

type Postgres = typeof import('../../operator/stores/postgres');

/** @throws CommandFailure if pg is not installed. */
export function loadPostgres(): Postgres {
  return loadPeer(
    'pg',
    'A PostgreSQL store',
    () => require('../../operator/stores/postgres') as Postgres,
  );
}
