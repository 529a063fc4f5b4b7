import { ofManyOperators } from './one-operator';
import {
  type ContractStoreOptions,
  type ContractWallet,
  type CreateContractStore,
  toContractWallet,
} from './players';

/** The wallet of a suite, ready. */
export async function makeContractWallet(
  createStore: CreateContractStore,
  options: ContractStoreOptions,
): Promise<ContractWallet> {
  const wallet = toContractWallet(await createStore(options));
  await wallet.store.ready();
  const { oneOperator } = wallet;
  return oneOperator === undefined ? wallet : ofManyOperators(wallet, oneOperator);
}
