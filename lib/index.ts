export {
  createServer,
  type ExpressApp,
  type ServerOptions,
} from './operator/express/create-server';
export { createOperatorRouter, type OperatorRouter } from './operator/express/router';
export { createOperatorHandler, type OperatorHandler } from './operator/http/handler';
export type { RequestListener } from './platform/http';
export type { BalanceRequest, FreePlays, HookJson } from './operator/http/hooks';
export type { OperatorCredentials, OperatorOptions } from './operator/http/options';
export type { CallEvent, TransactionEvent } from './operator/http/outcome-hook';
export { createMemoryStore, type MemoryStoreOptions } from './operator/stores/memory';
export {
  type DiscountCheck,
  StoreUnavailableError,
  StoreUnsafeError,
} from './operator/wallet';
export type { Clock, Logger, Random, TimerKind } from './platform';
export { type AmountInput, formatAmount, parseAmount, type Units } from './protocol/money/amount';
export type { Purse } from './protocol/money/purse';
export type {
  Call,
  Credit,
  Debit,
  End,
  Transaction,
  Void,
} from './protocol/operator-api/transaction';
export {
  errorCatalogue,
  type ErrorCode,
  type ErrorEntry,
  type ErrorObject,
  type ErrorOverrides,
} from './protocol/operator-api/catalogue';
