import type { ContractRunner } from '../../subject/runner';
import { makeContractWallet } from '../../subject/one-operator';
import type { ContractWallet, CreateContractStore } from '../../subject/players';
import { defineSuite, type Rules } from '../suite';
import { attentionRules } from './attention';
import { decisionRules } from './decisions';
import { repairListRules } from './list';
import { openRoundRules } from './open-rounds';
import { paymentRules } from './payments';

/** Options of {@link repairContract}. */
export interface RepairContractOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /** Creates a store with these options; the suite closes it. */
  readonly createStore: CreateContractStore;
  /** Whether the store lists open rounds (`openRounds`); true unless set. */
  readonly listsOpenRounds?: boolean;
}

/**
 * Defines the cases of what people do with rounds, which a store may leave out as a whole: what a listed
 * round says of itself, rounds without an end, repairs (D11), and the list of them.
 */
export function repairContract({
  runner,
  createStore,
  listsOpenRounds = true,
}: RepairContractOptions): void {
  const rules: Rules<ContractWallet> = {
    'what a listed round says': attentionRules,
    'proposals and decisions': decisionRules,
    'wins paid by people': paymentRules,
    'all repairs of an operator': repairListRules,
    'rounds without an end': (check) => openRoundRules(check, listsOpenRounds),
  };
  defineSuite(runner, 'a store whose rounds a person repairs', rules, {
    make: (options) => makeContractWallet(createStore, options),
    close: ({ store }) => store.close(),
  });
}
