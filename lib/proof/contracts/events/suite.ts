import type { ContractRunner } from '../../subject/runner';
import { hasNoFollowRules } from '../follow-up/case';
import { defineSuite, type Rules } from '../suite';
import { type ContractEvents, contractConsumers, type EventsContractStoreOptions } from './case';
import { actRules } from './acts';
import { contentRules } from './content';
import { deliveryRules } from './delivery';
import { followRules, requestRules } from './requests';

/** Options of {@link eventsContract}. */
export interface EventsContractOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /**
   * Creates a store with these options; the suite closes it. Its data may come from stores created before:
   * every case uses its own operator ids.
   */
  readonly createStore: (
    options: EventsContractStoreOptions,
  ) => ContractEvents | Promise<ContractEvents>;
  /** Whether the store has the optional method `follow`; false unless set. */
  readonly follows?: boolean;
}

const rules: Rules<ContractEvents> = {
  content: contentRules,
  delivery: deliveryRules,
  acts: actRules,
  requests: requestRules,
};

/**
 * Defines what the events of a store must hold: each version of each round is delivered at least once, in
 * order, none is skipped, and their movements add up to the balances. No case can be left out.
 */
export function eventsContract({
  runner,
  createStore,
  follows = false,
}: EventsContractOptions): void {
  const all = { ...rules, 'follow-up calls': follows ? followRules : hasNoFollowRules };
  defineSuite(runner, 'the events of a store', all, {
    make: async (options) => {
      const made = await createStore({ ...options, events: contractConsumers });
      await made.store.ready();
      return made;
    },
    close: ({ store }) => store.close(),
  });
}
