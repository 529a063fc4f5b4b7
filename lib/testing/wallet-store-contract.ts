import type { AccountStore } from '../wallet';
import { cashRules } from './wallet-store-contract-cash';
import type {
  Case,
  ContractRunner,
  ContractStoreOptions,
  CreateContractStore,
} from './wallet-store-contract-case';
import { fundsRules, guardRules, splitRules } from './wallet-store-contract-commits';
import { attentionRules, retentionRules } from './wallet-store-contract-keeping';
import { inputRules, playerRules } from './wallet-store-contract-players';
import { rangeRules } from './wallet-store-contract-range';
import { identityRules, recordRules } from './wallet-store-contract-records';

/** What {@link walletStoreContract} is given. */
export interface WalletStoreContractOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /** Makes a store with these options; the suite closes it. */
  readonly createStore: CreateContractStore;
}

const rules: Readonly<Record<string, (check: Case) => void>> = {
  players: playerRules,
  cash: cashRules,
  input: inputRules,
  'the guard of a commit': guardRules,
  'all or nothing': fundsRules,
  'real and bonus money': splitRules,
  records: recordRules,
  identifiers: identityRules,
  'the range of amounts': rangeRules,
  attention: attentionRules,
  retention: retentionRules,
};

/**
 * Defines the cases that every {@link AccountStore} must pass; none can be left out. A case takes
 * up to some seconds. The store may be in use by others at the same time: each case works under
 * an operator id of its own, and leaves its rounds behind.
 */
export function walletStoreContract({ runner, createStore }: WalletStoreContractOptions): void {
  runner.describe('a wallet store', () => {
    const stores = new Map<string, Promise<AccountStore>>();
    const storeWith = (options: ContractStoreOptions): Promise<AccountStore> => {
      const name = JSON.stringify(options);
      const store = stores.get(name) ?? makeStore(createStore, options);
      stores.set(name, store);
      return store;
    };
    const check: Case = (name, run, options) => {
      runner.it(name, async () => run(await storeWith({ ...defaults, ...options })));
    };
    for (const [name, define] of Object.entries(rules)) runner.describe(name, () => define(check));
    runner.afterAll(async () => {
      for (const store of stores.values()) await (await store).close();
    });
  });
}

const defaults: ContractStoreOptions = { decimals: 4, retentionMs: 3_600_000 };

async function makeStore(
  createStore: CreateContractStore,
  options: ContractStoreOptions,
): Promise<AccountStore> {
  const store = await createStore(options);
  await store.ready();
  return store;
}
