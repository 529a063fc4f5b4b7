import type { ContractRunner } from '../case';
import { makeContractWallet } from '../making';
import type { ContractWallet, CreateContractStore } from '../players';
import { defineSuite, type Rules } from '../suite';
import { guardRules } from './guard';
import { identifierRules } from './identifiers';
import { attentionRules, retentionRules } from './keeping';
import { rangeRules } from './range';
import { recordRules } from './records';
import { refusalRules } from './refusals';
import { realOnlyRules, splitRules, splitTableRules } from './split';
import { splitVoidOrderRules, voidOrderRules } from './void-order';
import { voidRules } from './voids';

/** Options of {@link walletStoreContract}. */
export interface WalletStoreContractOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /** Creates a store with these options; the suite closes it. */
  readonly createStore: CreateContractStore;
  /** Whether players may have bonus money beside real money; true unless set. */
  readonly hasBonus?: boolean;
}

const rules: Rules<ContractWallet> = {
  'the guard of a commit': guardRules,
  refusals: refusalRules,
  voids: voidRules,
  'voids before and after a call': voidOrderRules,
  records: recordRules,
  identifiers: identifierRules,
  'the range of amounts': rangeRules,
  attention: attentionRules,
  retention: retentionRules,
  'who pays': realOnlyRules,
};

const bonusRules: Rules<ContractWallet> = {
  'real and bonus money': splitRules,
  'real and bonus money, who pays': splitTableRules,
  'real and bonus money, voided before and after a call': splitVoidOrderRules,
};

/**
 * Defines the cases that every `WalletStore` must pass, whether it keeps the money itself or moves it in a
 * ledger; none can be left out. A case takes up to some seconds. Others may use the store at the same
 * time: each case uses its own operator id, and leaves its rounds behind. Stores that keep the money must
 * also pass `accountStoreContract`.
 */
export function walletStoreContract({
  runner,
  createStore,
  hasBonus = true,
}: WalletStoreContractOptions): void {
  const all = hasBonus ? { ...rules, ...bonusRules } : rules;
  defineSuite(runner, 'a wallet store', all, {
    make: (options) => makeContractWallet(createStore, options),
    close: ({ store }) => store.close(),
  });
}
