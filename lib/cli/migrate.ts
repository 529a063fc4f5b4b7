import { type Command, Option } from 'commander';
import { CommandFailure, messageOf, withoutLogin } from './terminal/failure';
import { schemaFlag } from './terminal/flags';
import { migrateSchema, postgresForm } from './stores/postgres';

interface MigrateFlags {
  readonly store?: string;
  readonly schema?: string;
}

/** Adds `rgs-wallet migrate`. */
export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .summary('bring the schema of a PostgreSQL store up to date')
    .description(
      'Creates the tables and functions of a PostgreSQL store, or updates them to this version, in one transaction. Safe to run again, also from several machines at once. The user must own the schema or be allowed to create it.',
    )
    .addOption(new Option('--store <address>', 'postgres://...').env('WALLET_STORE'))
    .addOption(schemaFlag())
    .action((flags: MigrateFlags) => run(flags));
}

async function run({ store, schema }: MigrateFlags): Promise<void> {
  if (store === undefined || !postgresForm.test(store)) {
    throw new CommandFailure('--store must begin with postgres:// or postgresql://');
  }
  const address = withoutLogin(store);
  const report = await migrateSchema(store, schema).catch((error: unknown) => {
    if (error instanceof CommandFailure) throw error;
    if (error instanceof TypeError) throw new CommandFailure(`--store: ${messageOf(error)}`);
    throw new CommandFailure(`The store ${address} cannot be migrated: ${messageOf(error)}`);
  });
  for (const name of report.applied) process.stdout.write(`applied ${name}\n`);
  const isNew = report.applied.length > 0;
  process.stdout.write(
    isNew
      ? `The schema is at ${report.version}.\n`
      : `Nothing to do: the schema is at ${report.version}.\n`,
  );
}
