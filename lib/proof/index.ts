export {
  type AccountStoreContractOptions,
  accountStoreContract,
  type CreateContractAccountStore,
} from './contracts/account-store/suite';
export type { ContractRunner } from './contracts/case';
export type {
  ContractCash,
  ContractCashResult,
  ContractPlayer,
  ContractPlayers,
  ContractStoreOptions,
  ContractWallet,
  CreateContractStore,
} from './contracts/players';
export { type LedgerContractOptions, ledgerContract } from './contracts/ledger/suite';
export type { ContractLedger } from './contracts/ledger/case';
export { createMemoryLedger, type MemoryLedger } from './contracts/ledger/in-memory';
export {
  createRequestSigner,
  type RequestSigner,
  type RequestSignerOptions,
  type SignedRequest,
} from './signing/request-signer';
export {
  type WalletStoreContractOptions,
  walletStoreContract,
} from './contracts/wallet-store/suite';
export { type WalletStoreHistoriesOptions, walletStoreHistories } from './histories/suite';
