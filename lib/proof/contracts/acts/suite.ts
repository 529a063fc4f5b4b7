import type { ContractRunner } from '../../subject/runner';
import { makeContractWallet } from '../../subject/one-operator';
import type { ContractWallet, CreateContractStore } from '../../subject/players';
import { defineSuite, type Rules } from '../suite';
import { filterRules } from './filters';
import { contentRules } from './content';
import { exportRules } from './exports';
import { pagingRules } from './paging';

/** Options of {@link actsContract}. */
export interface ActsContractOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /** Creates a store with these options; the suite closes it. */
  readonly createStore: CreateContractStore;
}

const rules: Rules<ContractWallet> = {
  'what is listed': contentRules,
  'which acts': filterRules,
  'page by page': pagingRules,
  'what was taken': exportRules,
};

/**
 * Defines the cases of the list of what people did (`acts`), which a store may leave out as a whole. Where the money is
 * elsewhere it has repairs alone.
 */
export function actsContract({ runner, createStore }: ActsContractOptions): void {
  defineSuite(runner, 'a store that lists what people did', rules, {
    make: (options) => makeContractWallet(createStore, options),
    close: ({ store }) => store.close(),
  });
}
