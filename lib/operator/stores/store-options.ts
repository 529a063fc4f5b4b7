import {
  type AmountTerms,
  type AmountUnit,
  decimalsOfCalls,
  defaultDecimals,
  maxDecimals,
} from '../../protocol/money/amount';
import type { OptionNames } from '../../platform/validation/known-names';
import { checkPart } from '../../platform/validation/option-values';

/** Options that every store of the kit has. */
export interface StoreOptions {
  /** Decimals kept, 0 to 8; 4 unless set. Cannot change once the store has money (D2.5). */
  readonly decimals?: number;
  /**
   * What 1 is in an amount of a call: `'1/100'` if your RGS sends 100 for 1.00, as the public documentation says; `'1'`
   * unless set: it sends 1.00. Everything else counts in the currency. It is noted with the decimals and cannot change (D2.5).
   */
  readonly unit?: AmountUnit;
  /**
   * How long closed and voided rounds are kept with their hashes, in milliseconds; 30 days unless
   * set. It must be longer than the RGS's maximum gameround age (D10).
   */
  readonly retentionMs?: number;
  /**
   * Names of the consumers that follow the store's events: letters, digits, `-`, `_` and `.`, at most 64.
   * While one is declared, each commit writes an event (see `EventSource`). Give every process that writes
   * the same names. None unless set: then nothing is written, and `ready()` logs an error if the server has
   * declared consumers.
   */
  readonly events?: readonly string[];
  /**
   * Most events of an operator that wait for a consumer with their content; 1,000,000 unless set. Beyond it
   * commits write pointers (see `RoundEvent.round`), and their rounds are kept twice as long. Not in memory.
   */
  readonly eventsLimit?: number;
  /**
   * Keep the balances after each commit with the round, for its timeline; in Redis also the list of each
   * player's rounds, for `rounds` and `findRound`. Off unless set: then nothing is written for it. Set it for
   * every process that writes; in Redis one without it keeps the history of a store that has one. Rounds from before have
   * neither. Not for tables of your own.
   */
  readonly history?: boolean;
  /**
   * `history`: a limit that is set in a running window counts what moved in it before, read from the player's rounds and cash
   * (D13.6, P18). Unless set it counts from its making. It needs `retentionMs` of at least 32 days; in Redis `history`. Set it for
   * every process that sets limits. Not for tables of your own, nor over a ledger.
   */
  readonly limitsFrom?: 'history';
}

/** The names of {@link StoreOptions}. */
export const storeOptionNames: OptionNames<StoreOptions> = {
  decimals: true,
  unit: true,
  retentionMs: true,
  events: true,
  eventsLimit: true,
  history: true,
  limitsFrom: true,
};

/** Some hundred MB of a Redis. */
const defaultEventsLimit = 1_000_000;

/** What a store calls on the parts that it is given. */
interface StoreParts {
  readonly clock?: unknown;
  readonly logger?: unknown;
  readonly random?: unknown;
}

/**
 * Checks that the clock, the logger and the source of random numbers have their functions, where they are set.
 * @throws TypeError that names the part and the function.
 */
export function checkStoreParts({ clock, logger, random }: StoreParts): void {
  checkPart('clock', clock, ['now', 'monotonicMs', 'pause', 'after']);
  checkPart('logger', logger, ['info', 'warn', 'error']);
  checkPart('random', random, ['next', 'bytes']);
}

/** 30 days (D10). */
const defaultRetentionMs = 30 * 24 * 3600 * 1000;

/** {@link StoreOptions} with defaults filled in. */
interface CheckedStoreOptions extends Required<Omit<StoreOptions, 'limitsFrom'>> {
  readonly limitsFromHistory: boolean;
}

/** Decimals and unit with their defaults. @throws TypeError for an invalid value. */
export function checkTerms(options: Pick<StoreOptions, 'decimals' | 'unit'>): AmountTerms {
  const { decimals = defaultDecimals, unit = '1' } = options;
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > maxDecimals) {
    throw new TypeError(`decimals must be a whole number from 0 to ${maxDecimals}`);
  }
  decimalsOfCalls({ decimals, unit });
  return { decimals, unit };
}

/**
 * The options with defaults filled in.
 * @throws TypeError for an invalid value.
 */
export function checkStoreOptions(options: StoreOptions): CheckedStoreOptions {
  const { decimals, unit } = checkTerms(options);
  const { retentionMs = defaultRetentionMs } = options;
  const { eventsLimit = defaultEventsLimit, history = false } = options;
  if (!Number.isSafeInteger(retentionMs) || retentionMs < 1) {
    throw new TypeError('retentionMs must be a whole number of milliseconds above 0');
  }
  if (!Number.isSafeInteger(eventsLimit) || eventsLimit < 1) {
    throw new TypeError('eventsLimit must be a whole number of events above 0');
  }
  if (typeof history !== 'boolean') throw new TypeError('history must be true or false');
  const limitsFromHistory = checkLimitsFrom(options.limitsFrom, retentionMs);
  const events = checkConsumers(options.events);
  return { decimals, unit, retentionMs, events, eventsLimit, history, limitsFromHistory };
}

/** @throws TypeError for an option that needs money or limits of the store, where both are the platform's. */
export function checkOwnTables(
  store: string,
  { history, limitsFromHistory }: CheckedStoreOptions,
): void {
  const why = (option: string, what: string): string =>
    `${store}: ${option} is not available for your own tables, because the ${what} are yours`;
  if (history) throw new TypeError(why('history', 'balances'));
  if (limitsFromHistory) throw new TypeError(why('limitsFrom', 'limits'));
}

/** @throws TypeError for limits over a ledger, which the store does not hold. */
export function checkJournal(limitsFromHistory: boolean): void {
  if (!limitsFromHistory) return;
  throw new TypeError('limitsFrom is not available over a ledger, because the limits are yours');
}

/** The least retention for limits from history, with which the rounds of a month are there until it ends: 32 days. */
export const leastRetentionMs = 32 * 24 * 3600 * 1000;

function checkLimitsFrom(limitsFrom: unknown, retentionMs: number): boolean {
  if (limitsFrom === undefined) return false;
  if (limitsFrom !== 'history') throw new TypeError("limitsFrom must be 'history', or not set");
  if (retentionMs < leastRetentionMs) {
    throw new TypeError(
      `limitsFrom: 'history' needs retentionMs of at least ${leastRetentionMs} (32 days): a limit of a month counts rounds of all of it`,
    );
  }
  return true;
}

/** @throws TypeError for an invalid name. */
export function checkConsumer(name: unknown): asserts name is string {
  if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name)) {
    throw new TypeError('a consumer of events has a name of 1 to 64 letters, digits, -, _ and .');
  }
}

function checkConsumers(names: readonly string[] = []): readonly string[] {
  if (!Array.isArray(names)) throw new TypeError('events must be a list of names of consumers');
  const seen = new Set<unknown>();
  for (const name of names as readonly unknown[]) {
    if (seen.has(name)) throw new TypeError(`events names a consumer twice: ${String(name)}`);
    seen.add(name);
    try {
      checkConsumer(name);
    } catch (error) {
      throw new TypeError(`events: ${(error as TypeError).message}`, { cause: error });
    }
  }
  return [...names];
}
