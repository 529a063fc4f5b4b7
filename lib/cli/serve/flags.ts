import { type Command, InvalidArgumentError } from 'commander';
import { addAdminFlags, type AdminFlags } from '../admin/flags';
import { addCredentialFlags, type CredentialFlags } from '../terminal/credentials';
import {
  addFlags,
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
  addFlags(command, [
    [
      '--port <n>',
      'port; 0 picks a free one',
      { env: 'PORT', usual: 8080, parse: wholeNumber(0, 65_535) },
    ],
    ['--host <host>', 'address to listen on', { env: 'HOST', usual: '127.0.0.1' }],
    ['--base-path <path>', 'prefix of /doTransactions and /getBalance, such as /wallet'],
  ]);
  addStoreFlags(command, 'WALLET_STORE');
  addFlags(addCredentialFlags(command), [
    [
      '--players <file>',
      'JSON [{"playerId": "...", "currency": "EUR", "balances": {"real": "10.50"}}]; players that exist keep their balances',
      { env: 'PLAYERS_FILE' },
    ],
    [
      '--ledger <file>',
      'JavaScript file whose default export is a Ledger, or a function that returns one: the ledger holds the money, the store only the rounds',
      { env: 'LEDGER_FILE' },
    ],
    [
      '--tracer <file>',
      'JavaScript file whose default export is a Tracer of OpenTelemetry, or a function that returns one: calls are traced, and the log has trace_id',
      { env: 'TRACER_FILE' },
    ],
    [
      '--events <name>',
      'declare a consumer of events, and write an event with each commit; repeat it for more',
      { parse: collect },
    ],
    [
      '--events-limit <n>',
      'events of an operator that may wait for a consumer with their content; beyond them commits write pointers (default: 1000000; not in memory)',
      { env: 'EVENTS_LIMIT', parse: wholeNumber(1, 1_000_000_000) },
    ],
    [
      '--totals',
      'keep sums by quarter of an hour, game and currency in the store; declares the consumer totals',
      { env: 'WALLET_TOTALS' },
    ],
    [
      '--notable-from <currency=amount,...>',
      'with --totals: list rounds that gave so much or more on the page History, such as EUR=1000,SEK=10000',
      { env: 'WALLET_NOTABLE_FROM', parse: amountsByCurrency },
    ],
    [
      '--round-lookup',
      'with --totals: the search of the operations page finds a round by its id alone',
      { env: 'WALLET_ROUND_LOOKUP' },
    ],
    [
      '--history',
      "keep the balances after each commit with its round; in Redis also a list of each player's rounds and an index of the open ones, which PostgreSQL always has",
      { env: 'WALLET_HISTORY' },
    ],
    [
      '--limits-from <what>',
      "a limit set on the operations page counts what moved in its window before it, read from the player's rounds and cash; needs --retention-days 32 or more, in Redis --history (default: it counts from its making)",
      { env: 'WALLET_LIMITS_FROM', choices: ['history'] },
    ],
    [
      '--accept-older-data',
      'go on with older data than before, in which acknowledged calls are missing; each time it is logged',
    ],
    [
      '--accept-mixed',
      'start beside processes with another retention, or without --events where consumers are declared; it is logged',
    ],
    [
      '--retention-days <n>',
      'how long closed and voided rounds are kept (default: 30)',
      { parse: wholeNumber(1, 36_500) },
    ],
  ]);
  addHandlerFlags(command);
  return addFlags(addAdminFlags(command), [
    [
      '--max-connections <n>',
      'maximum open connections; further ones are closed (default: the limit of open files, less a reserve for the store)',
      { parse: wholeNumber(1, 1_000_000) },
    ],
    [
      '--grace-ms <n>',
      'how long calls in flight may take after a stop signal',
      { usual: 10_000, parse: wholeNumber(0, 600_000) },
    ],
    [
      '--log-level <level>',
      'lowest level that is logged',
      { env: 'LOG_LEVEL', usual: 'info', choices: logLevels },
    ],
  ]).addOption(alwaysJsonFlag());
}
