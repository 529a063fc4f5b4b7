import { type Command, Option } from 'commander';
import { addCredentialFlags, type CredentialFlags } from '../terminal/credentials';
import { addStoreFlags, type StoreFlags, wholeNumber } from '../terminal/flags';
import { type LogLevel, logLevels } from '../terminal/log';
import { addHandlerFlags, type HandlerFlags } from './handler-flags';

/** Flags of `rgs-wallet serve`. */
export interface ServeFlags extends Omit<StoreFlags, 'store'>, CredentialFlags, HandlerFlags {
  readonly store?: string;
  readonly port: number;
  readonly host: string;
  readonly basePath?: string;
  readonly ledger?: string;
  readonly players?: string;
  readonly retentionDays?: number;
  readonly maxConnections?: number;
  readonly graceMs: number;
  readonly logLevel: LogLevel;
}

/** Adds {@link ServeFlags}. */
export function addServeFlags(command: Command): Command {
  command
    .addOption(
      new Option('--port <n>', 'port; 0 picks a free one')
        .env('PORT')
        .default(8080)
        .argParser(wholeNumber(0, 65_535)),
    )
    .addOption(new Option('--host <host>', 'address to listen on').env('HOST').default('127.0.0.1'))
    .option('--base-path <path>', 'prefix of /doTransactions and /getBalance, such as /wallet');
  addStoreFlags(command, 'WALLET_STORE');
  addCredentialFlags(command)
    .addOption(
      new Option(
        '--players <file>',
        'JSON [{"playerId": "...", "currency": "EUR", "balances": {"real": "10.50"}}]; players that exist keep their balances',
      ).env('PLAYERS_FILE'),
    )
    .addOption(
      new Option(
        '--ledger <file>',
        'JavaScript file whose default export is a Ledger, or a function that returns one: the ledger holds the money, the store only the rounds',
      ).env('LEDGER_FILE'),
    )
    .option(
      '--retention-days <n>',
      'how long closed and voided rounds are kept (default: 30)',
      wholeNumber(1, 36_500),
    );
  return addHandlerFlags(command)
    .option(
      '--max-connections <n>',
      'most open connections; further ones are closed (default: the limit of open files, less a reserve for the store)',
      wholeNumber(1, 1_000_000),
    )
    .addOption(
      new Option('--grace-ms <n>', 'how long calls in flight may take after a stop signal')
        .default(10_000)
        .argParser(wholeNumber(0, 600_000)),
    )
    .addOption(
      new Option('--log-level <level>', 'lowest level that is logged')
        .env('LOG_LEVEL')
        .default('info')
        .choices(logLevels),
    );
}
