export { createEngineHandler, type EngineHandler } from './handler';
export type { EngineHandlerOptions, ProviderCredentials } from './options';
