import assert from 'node:assert/strict';
import type { ContractRunner } from '../../subject/runner';
import { makeContractWallet } from '../../subject/one-operator';
import type { ContractWallet, CreateContractStore } from '../../subject/players';
import { defineSuite, type Rules } from '../suite';
import type { HistoryWallet } from './case';
import { findingRules, listRules } from './list';
import { pagingRules } from './paging';

/** Options of {@link historyContract}. */
export interface HistoryContractOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /** Creates a store with these options, and its history on; the suite closes it. */
  readonly createStore: CreateContractStore;
}

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
