import type { AccountStore } from '../../../operator/wallet';
import { blockRules, cashRules } from './cash';
import { atomicRules } from './commits';
import { pendingRules } from './pending';
import { inputRules, missingRules, playerRules } from './players';
import { rangeRules, recordRules } from './records';
import type { ContractRunner } from '../../subject/runner';
import type { ContractStoreOptions } from '../../subject/players';
import { defineSuite, type Rules } from '../suite';

/**
 * Creates a store that keeps the money. Its data may come from stores created before, also by other
 * processes, as long as they use the same decimals: every case uses its own operator ids.
 */
export type CreateContractAccountStore = (
  options: ContractStoreOptions,
) => AccountStore | Promise<AccountStore>;

/** Options of {@link accountStoreContract}. */
export interface AccountStoreContractOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /** Creates a store with these options; the suite closes it. */
  readonly createStore: CreateContractAccountStore;
}

const rules: Rules<AccountStore> = {
  players: playerRules,
  blocks: blockRules,
  cash: cashRules,
  input: inputRules,
  'what is missing': missingRules,
  'all or nothing': (it) =>
    atomicRules((name, run, options) =>
      it(name, (store) => run({ store, players: store.players }), options),
    ),
  records: recordRules,
  'the range of balances': rangeRules,
  'what is pending': pendingRules,
};

/**
 * Defines what a store that keeps the players' money must pass in addition to `walletStoreContract`:
 * players and cash, commits that are all or nothing, and what a ledger store needs of its journal. No case
 * can be left out.
 */
export function accountStoreContract({ runner, createStore }: AccountStoreContractOptions): void {
  defineSuite(runner, 'an account store', rules, {
    make: async (options) => {
      const store = await createStore(options);
      await store.ready();
      return store;
    },
    close: (store) => store.close(),
  });
}
