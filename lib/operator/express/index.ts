export { createServer, type ExpressApp, type ServerOptions } from './create-server';
export { createOperatorRouter, type OperatorRouter } from './router';
