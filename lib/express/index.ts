export type { CallEvent, TransactionEvent } from './call-event';
export { createServer, type ExpressApp, type ServerOptions } from './create-server';
export { createOperatorHandler, type OperatorHandler } from './handler';
export type {
  BalanceRequest,
  FreePlays,
  HookJson,
  OperatorOptions,
} from './options';
export type { OperatorCredentials } from './operator-secrets';
export { createOperatorRouter, type OperatorRouter } from './router';
export { originForm, pathOf, type RequestListener } from './routes';
