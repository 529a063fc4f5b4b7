export {
  createRequestSigner,
  type RequestSigner,
  type RequestSignerOptions,
  type SignedRequest,
} from './request-signer';
export { type WalletStoreContractOptions, walletStoreContract } from './wallet-store-contract';
export type {
  ContractRunner,
  ContractStoreOptions,
  CreateContractStore,
} from './wallet-store-contract-case';
export { type WalletStoreHistoriesOptions, walletStoreHistories } from './wallet-store-histories';
