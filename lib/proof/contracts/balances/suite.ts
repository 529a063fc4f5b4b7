import type { ContractRunner } from '../../subject/runner';
import { alikeRules } from '../follow-up/alike';
import { hasNoFollowRules } from '../follow-up/case';
import { makeContractWallet } from '../../subject/making';
import type { ContractWallet, CreateContractStore } from '../../subject/players';
import { defineSuite, type Rules } from '../suite';
import { callRules } from './calls';
import { keepingRules } from './keeping';
import { repairRules } from './with-repairs';

/** Options of {@link balancesContract}. */
export interface BalancesContractOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /** Creates a store with these options, which keeps the balances after each commit; the suite closes it. */
  readonly createStore: CreateContractStore;
  /** Whether the store has the optional method `follow`; false unless set. */
  readonly follows?: boolean;
}

const rules: Rules<ContractWallet> = {
  'the balance after each transaction': callRules,
  'the balance after what people did': repairRules,
  'balances are kept with their round': keepingRules,
};

/**
 * Defines the cases of the balances that a store keeps with its rounds (`RoundReport.balances`). A store that
 * keeps none does without this suite. Over a ledger a line may lack its balance. No case can be left out.
 */
export function balancesContract({
  runner,
  createStore,
  follows = false,
}: BalancesContractOptions): void {
  const all = { ...rules, 'follow-up calls': follows ? alikeRules : hasNoFollowRules };
  defineSuite(runner, 'a store that keeps the balances after each commit', all, {
    make: (options) => makeContractWallet(createStore, options),
    close: ({ store }) => store.close(),
  });
}
