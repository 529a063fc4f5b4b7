import assert from 'node:assert/strict';
import { makeContractWallet } from '../../subject/one-operator';
import type { ContractWallet, StoreSuiteOptions } from '../../subject/players';
import { defineSuite, type Rules } from '../suite';
import type { HistoryWallet } from './case';
import { findingRules, listRules } from './list';
import { pagingRules } from './paging';

/** Options of {@link historyContract}: its stores have their history on. */
export type HistoryContractOptions = StoreSuiteOptions;

const rules: Rules<HistoryWallet> = {
  'the rounds of a player': listRules,
  'pages of them': pagingRules,
  'a round by its hash': findingRules,
};

/**
 * Defines the cases of the part `history`. A store without
 * it does without this suite. No case can be left out.
 */
export function historyContract({ runner, createStore }: HistoryContractOptions): void {
  defineSuite(runner, "a store with its players' history", rules, {
    make: async (options) => {
      const wallet = await makeContractWallet(createStore, options);
      assert.ok(hasHistory(wallet), 'the store has no history');
      return wallet;
    },
    close: ({ store }) => store.close(),
  });
}

function hasHistory(wallet: ContractWallet): wallet is HistoryWallet {
  return wallet.store.history !== undefined;
}
