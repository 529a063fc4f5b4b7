export {
  createGameProviderHandler,
  createGameProviderRouter,
  type GameProviderHandler,
  type GameProviderRouter,
} from './handler';
export type {
  AbandonedRound,
  CertifiedFile,
  ConfigurationQuestion,
  ConfigurationValue,
  GameConfigurationAnswer,
  ProviderCallEvent,
  ProviderHandlers,
  ProviderOperation,
  ResultQuestion,
} from './handlers';
export type {
  EngineErrorOverrides,
  GameProviderOptions,
  ProviderCredentials,
  ProviderSignedFields,
} from './options';
