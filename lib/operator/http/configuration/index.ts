export type { CallEvent, TransactionEvent } from './call-event';
export type { OperatorCredentials } from './credentials';
export type { BalanceRequest, FreePlays, HookJson, OperatorOptions } from './options';
