export type { CallEvent, TransactionEvent } from './call-event';
export { createOperatorHandler, type OperatorHandler } from './handler';
export type { BalanceRequest, FreePlays, HookJson, OperatorOptions } from './options';
export { originForm, pathOf, type RequestListener } from './routes';
