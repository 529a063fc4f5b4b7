import { type Command, InvalidArgumentError, Option } from 'commander';
import { addAdminFlags, type AdminFlags } from '../admin/flags';
import { addCredentialFlags, type CredentialFlags } from '../terminal/credentials';
import {
  addStoreFlags,
  alwaysJsonFlag,
  collect,
  type StoreFlags,
  wholeNumber,
} from '../terminal/flags';
import { type LogLevel, logLevels } from '../terminal/log';
import { addHandlerFlags, type HandlerFlags } from './handler-flags';

/** Flags of `rgs-wallet serve`. */
export interface ServeFlags
  extends Omit<StoreFlags, 'store'>,
    CredentialFlags,
    HandlerFlags,
    AdminFlags {
  readonly store?: string;
  readonly port: number;
  readonly host: string;
  readonly basePath?: string;
  readonly ledger?: string;
  readonly tracer?: string;
  readonly players?: string;
  readonly retentionDays?: number;
  readonly events?: readonly string[];
  readonly eventsLimit?: number;
  readonly totals?: true;
  readonly notableFrom?: Readonly<Record<string, string>>;
  readonly roundLookup?: true;
  readonly history?: true;
  readonly limitsFrom?: 'history';
  readonly acceptOlderData?: true;
  readonly acceptMixed?: true;
  readonly maxConnections?: number;
  readonly graceMs: number;
  readonly logLevel: LogLevel;
}

/** @throws InvalidArgumentError */
function amountsByCurrency(text: string): Record<string, string> {
  const amounts: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [, currency, amount] = /^([A-Z]{3})=(\d{1,30}(?:\.\d{1,8})?)$/.exec(part.trim()) ?? [];
    if (currency === undefined || amount === undefined || !/[1-9]/.test(amount)) {
      throw new InvalidArgumentError('It must be such as EUR=1000,SEK=10000.');
    }
    amounts[currency] = amount;
  }
  return amounts;
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
    .addOption(
      new Option(
        '--tracer <file>',
        'JavaScript file whose default export is a Tracer of OpenTelemetry, or a function that returns one: calls are traced, and the log has trace_id',
      ).env('TRACER_FILE'),
    )
    .addOption(
      new Option(
        '--events <name>',
        'declare a consumer of events, and write an event with each commit; repeat it for more',
      ).argParser(collect),
    )
    .addOption(
      new Option(
        '--events-limit <n>',
        'events of an operator that may wait for a consumer with their content; beyond them commits write pointers (default: 1000000; not in memory)',
      )
        .env('EVENTS_LIMIT')
        .argParser(wholeNumber(1, 1_000_000_000)),
    )
    .addOption(
      new Option(
        '--totals',
        'keep sums by quarter of an hour, game and currency in the store; declares the consumer totals',
      ).env('WALLET_TOTALS'),
    )
    .addOption(
      new Option(
        '--notable-from <currency=amount,...>',
        'with --totals: list rounds that gave so much or more on the page History, such as EUR=1000,SEK=10000',
      )
        .env('WALLET_NOTABLE_FROM')
        .argParser(amountsByCurrency),
    )
    .addOption(
      new Option(
        '--round-lookup',
        'with --totals: the search of the operations page finds a round by its id alone',
      ).env('WALLET_ROUND_LOOKUP'),
    )
    .addOption(
      new Option(
        '--history',
        "keep the balances after each commit with its round; in Redis also a list of each player's rounds and an index of the open ones, which PostgreSQL always has",
      ).env('WALLET_HISTORY'),
    )
    .addOption(
      new Option(
        '--limits-from <what>',
        "a limit set on the operations page counts what moved in its window before it, read from the player's rounds and cash; needs --retention-days 32 or more, in Redis --history (default: it counts from its making)",
      )
        .env('WALLET_LIMITS_FROM')
        .choices(['history']),
    )
    .option(
      '--accept-older-data',
      'go on with older data than before, in which acknowledged calls are missing; each time it is logged',
    )
    .option(
      '--accept-mixed',
      'start beside processes with another retention, or without --events where consumers are declared; it is logged',
    )
    .option(
      '--retention-days <n>',
      'how long closed and voided rounds are kept (default: 30)',
      wholeNumber(1, 36_500),
    );
  addHandlerFlags(command);
  return addAdminFlags(command)
    .option(
      '--max-connections <n>',
      'maximum open connections; further ones are closed (default: the limit of open files, less a reserve for the store)',
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
    )
    .addOption(alwaysJsonFlag());
}
