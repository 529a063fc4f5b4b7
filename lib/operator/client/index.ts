export { ExactNumber } from '../../protocol/json';
export { createRgsClient, type RgsClient } from './create-client';
export {
  AbortedError,
  type FailedCall,
  InvalidReplyError,
  InvalidRequestError,
  NetworkError,
  RgsClientError,
  type RgsClientErrorCode,
  ServiceError,
  type ServiceErrorObject,
  SignatureRefusedError,
  TimeoutError,
} from './errors';
export {
  type DecimalText,
  type ExactJson,
  type ExactJsonObject,
  readExactAmount,
} from './exact-json';
export type { RgsClientOptions } from './options';
export type { AttemptEvent } from '../events';
export type { FetchInit, FetchPort, FetchReply } from './ports';
export type {
  ConfigurationNumber,
  FreePlayPackage,
  GameConfiguration,
  GameList,
  ListedGame,
  Statistics,
  StatisticsRecord,
} from './replies';
export type {
  CallOptions,
  FreeroundsRequest,
  FurtherRequest,
  GameConfigurationRequest,
  StatisticsFilter,
  StatisticsRequest,
} from './requests';
