import type { AccountStore } from '../../../lib/operator/wallet';
import type { Clock } from '../../../lib/platform';
import type { ContractStoreOptions } from '../../../lib/proof/subject/players';
import type { ContractRunner } from '../../../lib/proof/subject/runner';
import { defineSuite, type Rules } from '../../../lib/proof/contracts/suite';
import { atOnceRules, pastAtOnceRules } from './at-once';
import { Wall, type World } from './case';
import { moneyRules } from './money';
import { orderRules } from './orders';
import { pastRules } from './past';
import { pastPlays, randomRules } from './random/rules';
import { repeatRules } from './repeats';
import { windowRules } from './windows';

/**
 * Creates the stores of two processes over the same data, each with its own clock. Its data may come from stores created
 * before, as long as they use the same decimals: every case uses its own operator ids.
 */
export type CreateLimitStores = (
  options: ContractStoreOptions,
  clocks: readonly [Clock, Clock],
) => Promise<readonly [AccountStore, AccountStore]>;

/** Options of {@link limitsContract}. */
export interface LimitsContractOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /** Creates two stores with these options; the suite closes them. */
  readonly createStores: CreateLimitStores;
  /** The seed of the random plays; 1 unless set. */
  readonly seed?: number;
  /** How many random plays of each kind; 30 unless set. */
  readonly plays?: number;
}

/** Options of {@link pastLimitsContract}: its stores have the option `limitsFrom: 'history'`. */
export interface PastLimitsContractOptions extends LimitsContractOptions {
  /** Whether cash has the times of a server, and not of the process that moves it. */
  readonly hasServerTimes?: boolean;
}

/** Longer than any play goes ahead. */
const retentionMs = 4_000 * 86_400_000;

/** When the processes of a store begin: before all that is played, since a history has no earlier rounds. */
const begun = Date.UTC(2020, 0, 1);

/** Two processes over one store. */
export async function makeWorld(
  createStores: CreateLimitStores,
  options: ContractStoreOptions,
): Promise<World> {
  const wall = new Wall();
  wall.now = begun;
  const stores = await createStores({ ...options, retentionMs }, wall.clocks);
  for (const store of stores) await store.ready();
  const [one, other] = stores;
  const [clock, otherClock] = wall.clocks;
  return {
    wall,
    processes: [
      { store: one, clock, wall },
      { store: other, clock: otherClock, wall },
    ],
  };
}

/** Closes the stores of both processes. */
export async function closeWorld({ processes: [one, other] }: World): Promise<void> {
  await one.store.close();
  if (other.store !== one.store) await other.store.close();
}

/**
 * Defines what a store must pass that holds limits of players and blocks with an end (D13): orders, windows, money, repeats,
 * what comes at once, and random plays that are compared with the list of all that happened.
 */
export function limitsContract({
  runner,
  createStores,
  seed = 1,
  plays = 30,
}: LimitsContractOptions): void {
  const rules: Rules<World> = {
    'orders of limits and blocks': orderRules,
    windows: windowRules,
    'which money counts': moneyRules,
    repeats: repeatRules,
    'what comes at once': atOnceRules,
    'random plays': (it) => randomRules(it, seed, plays),
  };
  defineSuite(runner, 'a store that holds limits', rules, {
    make: (options) => makeWorld(createStores, options),
    close: closeWorld,
  });
}

/** Defines what a store must pass whose limits count what moved in their windows before them (D13.6, P18). */
export function pastLimitsContract({
  runner,
  createStores,
  seed = 1,
  plays = 30,
  hasServerTimes = false,
}: PastLimitsContractOptions): void {
  const rules: Rules<World> = {
    windows: pastRules,
    'what comes at once': pastAtOnceRules,
    'random plays': (it) => pastPlays(it, seed, plays, hasServerTimes),
  };
  defineSuite(runner, 'a store whose limits count from history', rules, {
    make: (options) => makeWorld(createStores, options),
    close: closeWorld,
  });
}
