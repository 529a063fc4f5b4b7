import { type Command, InvalidArgumentError, Option } from 'commander';
import { maxDecimals } from '../money';

/** Flags that choose a store. */
export interface StoreFlags {
  readonly store: string;
  readonly acceptLoss?: true;
  readonly decimals?: number;
  readonly namespace?: string;
  readonly waitReplicas?: number;
  readonly schema?: string;
  readonly migrate?: true;
  /** Set unless --no-session-timeouts is. */
  readonly sessionTimeouts: boolean;
}

/** Adds {@link StoreFlags}; `env` is the variable that stands for --store. */
export function addStoreFlags(command: Command, env?: string): Command {
  const store = new Option(
    '--store <address>',
    'memory:, postgres://, redis://, rediss://, redis+sentinel://host:port,.../name or redis+cluster://host:port,...',
  ).default('memory:');
  return command
    .addOption(env === undefined ? store : store.env(env))
    .option('--accept-loss', 'use a server whose settings can lose money (development)')
    .option(
      '--decimals <n>',
      `decimals of an amount that the store keeps, 0 to ${maxDecimals} (default: 4)`,
      wholeNumber(0, maxDecimals),
    )
    .option('--namespace <name>', 'first part of every key in Redis (default: "rgs")')
    .option(
      '--wait-replicas <n>',
      'Redis replicas that must have a write before it counts (default: 0)',
      wholeNumber(0, 100),
    )
    .addOption(schemaFlag())
    .option(
      '--migrate',
      'bring the schema in PostgreSQL up to date first, as rgs-wallet migrate does',
    )
    .option(
      '--no-session-timeouts',
      'open connections to PostgreSQL without statement_timeout, which pgbouncer refuses',
    );
}

/** The flag that names the schema in PostgreSQL. */
export function schemaFlag(): Option {
  return new Option('--schema <name>', 'schema in PostgreSQL (default: "rgs_wallet")');
}

/** A parser of whole numbers within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return value;
  };
}

/** Collects a flag that may be there several times. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
