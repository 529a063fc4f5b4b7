import { type Command, Option } from 'commander';
import { type Logger, silentLogger } from '../platform';
import type { AmountUnit } from '../protocol/money/amount';
import { CommandFailure, messageOf, print, printJson, withoutLogin } from './terminal/failure';
import {
  callDecimals,
  decimalsFlag,
  jsonFlag,
  schemaFlag,
  unitFlag,
  wholeNumber,
} from './terminal/flags';
import { loadPostgres, postgresForm } from './stores/postgres';

interface MigrateFlags {
  readonly store?: string;
  readonly schema?: string;
  readonly decimals?: number;
  readonly unit?: AmountUnit;
  readonly retryFor: number;
  readonly json?: true;
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
    .addOption(decimalsFlag())
    .addOption(unitFlag())
    .option(
      '--retry-for <seconds>',
      'how long to try again, once a second, where calls or another session hold a table; 0: try once',
      wholeNumber(0, 86_400),
      30,
    )
    .addOption(jsonFlag())
    .action((flags: MigrateFlags) => run(flags));
}

/** Says on stderr that a table is in use; what was applied is printed at the end. */
const progress: Logger = {
  ...silentLogger,
  warn: (_, message) => void process.stderr.write(`${message}\n`),
};

async function run({ store, retryFor, json, ...options }: MigrateFlags): Promise<void> {
  if (store === undefined || !postgresForm.test(store)) {
    throw new CommandFailure('--store must begin with postgres:// or postgresql://');
  }
  callDecimals(options);
  const address = withoutLogin(store);
  const { migratePostgres } = loadPostgres();
  const request = { ...options, url: store, logger: progress, retryForMs: retryFor * 1000 };
  const { applied, version } = await migratePostgres(request).catch((error: unknown) => {
    if (error instanceof TypeError) throw new CommandFailure(`--store: ${messageOf(error)}`);
    throw new CommandFailure(`The store ${address} cannot be migrated: ${messageOf(error)}`);
  });
  if (json) return printJson({ applied, version });
  for (const name of applied) print(`applied ${name}`);
  print(`${applied.length > 0 ? 'The' : 'Nothing to do: the'} schema is at ${version}.`);
}
