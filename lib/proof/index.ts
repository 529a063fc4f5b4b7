export { accountBooksContract } from './contracts/account-books/suite';
export {
  type AccountStoreContractOptions,
  accountStoreContract,
  type CreateContractAccountStore,
} from './contracts/account-store/suite';
export { actsContract, type ActsContractOptions } from './contracts/acts/suite';
export { balancesContract, type BalancesContractOptions } from './contracts/history/balances';
export type { ContractRunner } from './subject/runner';
export type { ContractEvents, EventsContractStoreOptions } from './contracts/events/case';
export { eventsContract, type EventsContractOptions } from './contracts/events/suite';
export type {
  ContractCash,
  ContractCashResult,
  ContractPlayer,
  ContractPlayers,
  ContractStoreOptions,
  ContractWallet,
  CreateContractStore,
  MovedRow,
  OneOperator,
  StoreSuiteOptions,
} from './subject/players';
export {
  ownTablesContract,
  type OwnTablesContractOptions,
} from './contracts/account-store/own-tables';
export type { ContractJournal } from './contracts/journal/case';
export { historyContract, type HistoryContractOptions } from './contracts/history/suite';
export { type JournalContractOptions, journalContract } from './contracts/journal/suite';
export { minutesContract, type MinutesContractOptions } from './contracts/minutes';
export { notableContract, type NotableContractOptions } from './contracts/notable';
export { type LedgerContractOptions, ledgerContract } from './contracts/ledger/suite';
export { type RepairContractOptions, repairContract } from './contracts/repairs/suite';
export type { ContractLedger } from './contracts/ledger/case';
export { createMemoryLedger, type MemoryLedger } from './contracts/ledger/in-memory';
export {
  createRequestSigner,
  type RequestSigner,
  type RequestSignerOptions,
  type SignedRequest,
} from './request-signer';
export {
  type WalletStoreContractOptions,
  walletStoreContract,
} from './contracts/wallet-store/suite';
export { type WalletStoreHistoriesOptions, walletStoreHistories } from './histories/suite';
