export { createServiceHandler, type ServiceHandler } from './handler';
export type { CallingOperator, ServiceHandlerOptions } from './options';
