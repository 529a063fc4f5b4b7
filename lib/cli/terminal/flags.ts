import { type Command, InvalidArgumentError, Option } from 'commander';
import { isTimeZone } from '../../platform/time/zone-days';
import {
  type AmountTerms,
  type AmountUnit,
  decimalsOfCalls,
  defaultDecimals,
  maxDecimals,
} from '../../protocol/money/amount';
import { orFail } from './failure';

/** Flags that choose a store. */
export interface StoreFlags {
  readonly store: string;
  readonly acceptLoss?: true;
  readonly assumeDurable?: true;
  readonly decimals?: number;
  readonly unit?: AmountUnit;
  readonly namespace?: string;
  readonly waitReplicas?: number;
  readonly init?: true;
  readonly schema?: string;
  readonly migrate?: true;
  readonly ownTables?: true;
  /** Set unless --no-session-timeouts is. */
  readonly sessionTimeouts: boolean;
}

/** The same where the store has no default. */
export interface NamedStoreFlags extends Omit<StoreFlags, 'store'> {
  readonly store?: string;
}

/** Flags of a command on what an operator has in a store. */
export interface OperatorStoreFlags extends NamedStoreFlags {
  readonly operator?: string;
  readonly json?: true;
}

/**
 * Adds {@link StoreFlags}. `env` is the variable that sets --store; with it, WALLET_INIT sets --init, and no store is
 * the default. Without it the store is in memory unless named.
 */
export function addStoreFlags(command: Command, env?: string): Command {
  const store = new Option(
    '--store <address>',
    'memory:, postgres://, redis://, rediss://, redis+sentinel://host:port,.../name or redis+cluster://host:port,...',
  );
  const init = new Option(
    '--init',
    'create the store if there is none, as rgs-wallet init (Redis) and migrate (PostgreSQL) do',
  );
  return command
    .addOption(env === undefined ? store.default('memory:') : store.env(env))
    .addOption(acceptLossFlag())
    .addOption(assumeDurableFlag())
    .addOption(decimalsFlag())
    .addOption(unitFlag())
    .addOption(namespaceFlag())
    .option(
      '--wait-replicas <n>',
      'Redis replicas that must acknowledge a write (default: 0)',
      wholeNumber(0, 100),
    )
    .addOption(env === undefined ? init : init.env('WALLET_INIT'))
    .addOption(schemaFlag())
    .option(
      '--migrate',
      'bring the schema in PostgreSQL up to date first; if there is none, --init creates it',
    )
    .option(
      '--own-tables',
      'in PostgreSQL: the money is in your own tables (docs/own-tables.md). Needed only for a schema that no store has used yet',
    )
    .addOption(sessionTimeoutsFlag());
}

/** How a flag is read: the variable that sets it too, its values or their parser, and its value unless set. */
interface FlagRules {
  readonly env?: string;
  readonly choices?: readonly string[];
  readonly parse?: (text: string, previous: never) => unknown;
  readonly usual?: unknown;
}

/** A flag as a row of a table. */
type FlagRow = readonly [flags: string, description: string, rules?: FlagRules];

/** Adds the flags of a table, in its order. */
export function addFlags(command: Command, rows: readonly FlagRow[]): Command {
  for (const [flags, description, { env, choices, parse, usual } = {}] of rows) {
    const option = new Option(flags, description);
    if (env !== undefined) option.env(env);
    if (choices !== undefined) option.choices(choices);
    if (parse !== undefined)
      option.argParser(parse as (text: string, previous: unknown) => unknown);
    if (usual !== undefined) option.default(usual);
    command.addOption(option);
  }
  return command;
}

/** The flag of {@link OperatorStoreFlags}, of a command that may need none. */
export function operatorFlag(what = 'the operator'): Option {
  return new Option('--operator <id>', what).env('OPERATOR_ID');
}

/** The flag for the ledger that has the money. */
export function ledgerFlag(what: string): Option {
  return new Option('--ledger <file>', what).env('LEDGER_FILE');
}

/** The flag for a server that is not durable. */
export function acceptLossFlag(): Option {
  return new Option('--accept-loss', 'use a server whose settings can lose money (development)');
}

/** The flag for a pooler in front of PostgreSQL. */
export function sessionTimeoutsFlag(): Option {
  return new Option(
    '--no-session-timeouts',
    'open connections to PostgreSQL without statement_timeout, which pgbouncer refuses',
  );
}

/** The flag for a Redis whose settings cannot be read. */
export function assumeDurableFlag(): Option {
  return new Option(
    '--assume-durable',
    'use a managed Redis that forbids CONFIG: its service guarantees that acknowledged writes are on disk',
  );
}

/** The flag for the prefix of every key in Redis. */
export function namespaceFlag(): Option {
  return new Option('--namespace <name>', 'prefix of every key in Redis (default: "rgs")');
}

/** The flag for the decimals of amounts. */
export function decimalsFlag(): Option {
  const description = `decimals of an amount that the store keeps, 0 to ${maxDecimals} (default: what the store has, 4 for a new one)`;
  return new Option('--decimals <n>', description).argParser(wholeNumber(0, maxDecimals));
}

/** The flag for the unit of amounts in calls. */
export function unitFlag(): Option {
  return new Option(
    '--unit <unit>',
    'what 1 is in an amount of a call: 1 of the currency, or 1/100 of it, if the RGS sends 100 for 1.00 (default: what the store has, 1 for a new one)',
  ).choices(['1', '1/100']);
}

/** Most decimals of an amount in a call, which counts in its own unit (D2.5). @throws CommandFailure for fewer than it needs. */
export function callDecimals({
  decimals = defaultDecimals,
  unit = '1',
}: Partial<AmountTerms>): number {
  return orFail('--unit', () => decimalsOfCalls({ decimals, unit }));
}

/** The flag for PostgreSQL's schema. */
export function schemaFlag(): Option {
  return new Option('--schema <name>', 'schema in PostgreSQL (default: "rgs_wallet")');
}

/** The flag for programs, of a command that otherwise prints for people. */
export function jsonFlag(): Option {
  return new Option('--json', 'print one line of JSON');
}

/** The same flag for a command that prints JSON in any case, so that a program may give it to every command. */
export function alwaysJsonFlag(): Option {
  return new Option('--json', 'print JSON, as it does without this flag');
}

/** A parser of whole numbers within bounds, for a flag. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return value;
  };
}

/** A parser of the name of a time zone, for a flag. */
export function knownZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw new InvalidArgumentError('It must be a time zone, such as Europe/Malta.');
}

/** Collects the values of a repeated flag. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
