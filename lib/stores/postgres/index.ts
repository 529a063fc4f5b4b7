export { createPostgresStore, type PostgresStoreOptions } from './create-postgres-store';
export { migratePostgres, type MigratePostgresOptions, type MigrationReport } from './migrate';
export type { PostgresClient, PostgresPool, PostgresQuery } from './postgres-client';
