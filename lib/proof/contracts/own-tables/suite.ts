import assert from 'node:assert/strict';
import { atomicRules } from '../account-store/commits';
import type { ContractRunner } from '../../subject/runner';
import { makeContractWallet } from '../../subject/making';
import { type ContractWallet, type CreateContractStore, isAtomic } from '../../subject/players';
import { defineSuite, type Rules } from '../suite';
import type { OwnTablesWallet } from './rows';
import { undoneRules } from './undone';
import { writtenBonusRules, writtenRules } from './written';

/** Options of {@link ownTablesContract}. */
export interface OwnTablesContractOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /** Creates a store over the platform's tables with these options, and its players, with `moved`; the suite closes it. */
  readonly createStore: CreateContractStore;
  /** Whether players may have bonus money besides real money; true unless set. */
  readonly hasBonus?: boolean;
}

/**
 * Defines what money in tables of the platform's own must pass in addition to `walletStoreContract`: a commit is all or
 * nothing with the balances and with the rows that `move_money` writes, and these rows add up to the balances. It finds a
 * function that writes and then refuses, a lock that is missing, a row that is. No case can be left out.
 */
export function ownTablesContract({
  runner,
  createStore,
  hasBonus = true,
}: OwnTablesContractOptions): void {
  const rules: Rules<OwnTablesWallet> = {
    'all or nothing': (check) => atomicRules(check, hasBonus),
    'what is undone': undoneRules,
    'what is written': writtenRules,
    ...(hasBonus ? { 'what is written of bonus money': writtenBonusRules } : {}),
  };
  defineSuite(runner, "money in the platform's own tables", rules, {
    make: async (options) => {
      const wallet = await makeContractWallet(createStore, options);
      assert.ok(isAtomic(wallet), 'the wallet must have isAtomic: true');
      assert.ok(hasRows(wallet), 'its players must have the method moved');
      return wallet;
    },
    close: ({ store }) => store.close(),
  });
}

function hasRows(wallet: ContractWallet): wallet is OwnTablesWallet {
  return wallet.players.moved !== undefined;
}
