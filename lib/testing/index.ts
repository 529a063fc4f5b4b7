export {
  type AccountStoreContractOptions,
  accountStoreContract,
  type CreateContractAccountStore,
} from './account-store-contract';
export type { ContractRunner, ContractStoreOptions } from './contract-case';
export type {
  ContractCash,
  ContractCashResult,
  ContractPlayer,
  ContractPlayers,
  ContractWallet,
} from './contract-players';
export { type LedgerContractOptions, ledgerContract } from './ledger-contract';
export type { ContractLedger } from './ledger-contract-case';
export { createMemoryLedger, type MemoryLedger } from './memory-ledger';
export {
  createRequestSigner,
  type RequestSigner,
  type RequestSignerOptions,
  type SignedRequest,
} from './request-signer';
export {
  type CreateContractStore,
  type WalletStoreContractOptions,
  walletStoreContract,
} from './wallet-store-contract';
export { type WalletStoreHistoriesOptions, walletStoreHistories } from './wallet-store-histories';
