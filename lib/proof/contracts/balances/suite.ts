import type { ContractRunner } from '../case';
import { makeContractWallet } from '../making';
import type { ContractWallet, CreateContractStore } from '../players';
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
export function balancesContract({ runner, createStore }: BalancesContractOptions): void {
  defineSuite(runner, 'a store that keeps the balances after each commit', rules, {
    make: (options) => makeContractWallet(createStore, options),
    close: ({ store }) => store.close(),
  });
}
