export type { CallEvent, TransactionEvent } from './call-event';
export { createServer, type ExpressApp, type ServerOptions } from './create-server';
export { createOperatorHandler, type OperatorHandler } from './handler';
export type {
  BalanceRequest,
  FreePlays,
  HookJson,
  OperatorCredentials,
  OperatorOptions,
} from './options';
export { createOperatorRouter, type OperatorRouter } from './router';
export { originForm, pathOf, type RequestListener } from './routes';
