export {
  createOwnTablesStore,
  createPostgresStore,
  type PostgresStoreOptions,
} from './create-store';
export {
  migratePostgres,
  type MigratePostgresOptions,
  type MigrationReport,
} from './schema/migrate';
export type { OwnTablesStore } from './store';
export type { PostgresClient, PostgresPool, PostgresQuery } from './client/port';
