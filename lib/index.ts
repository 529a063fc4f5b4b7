export {
  createOperatorRouter,
  createServer,
  type ExpressApp,
  type OperatorRouter,
  type ServerOptions,
} from './operator/express';
export { createOperatorHandler, type OperatorHandler } from './operator/http';
export type { RequestListener } from './platform/http';
export type {
  BalanceRequest,
  CallEvent,
  FreePlays,
  HookJson,
  OperatorCredentials,
  OperatorOptions,
  TransactionEvent,
} from './operator/http/configuration';
export { createMemoryStore, type MemoryStoreOptions } from './operator/stores/memory';
export { type DiscountCheck, StoreUnavailableError, StoreUnsafeError } from './operator/wallet';
export type { Clock, Logger, Random, TimerKind } from './platform';
export {
  type AmountInput,
  formatAmount,
  parseAmount,
  type Purse,
  type Units,
} from './protocol/money';
export {
  type Call,
  type Credit,
  type Debit,
  type End,
  errorCatalogue,
  type ErrorCode,
  type ErrorEntry,
  type ErrorObject,
  type ErrorOverrides,
  type Transaction,
  type Void,
} from './protocol/operator-api';
