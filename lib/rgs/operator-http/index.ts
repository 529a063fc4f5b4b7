export { createServiceHandler, type ServiceHandler } from './handler';
export type { ServiceHandlerOptions } from './options';
