export {
  type DecimalText,
  type ExactJson,
  type ExactJsonObject,
  ExactNumber,
  readExactAmount,
  type Writable,
} from '../../protocol/json';
export { createRgsClient, type RgsClient } from './create-client';
export {
  AbortedError,
  type AttemptEvent,
  type CallOptions,
  type ErrorReply,
  type FailedCall,
  type FailureOutcome,
  type FetchInit,
  type FetchPort,
  type FetchReply,
  InvalidReplyError,
  InvalidRequestError,
  NetworkError,
  RgsClientError,
  type RgsClientErrorCode,
  ServiceError,
  type ServiceErrorObject,
  SignatureRefusedError,
  TimeoutError,
} from '../../protocol/client';
export type { RgsClientOptions } from './options';
export type {
  ConfigurationNumber,
  FreePlayPackage,
  GameConfiguration,
  GameList,
  ListedGame,
  Statistics,
  StatisticsRecord,
} from './read-reply';
export type {
  FreeroundsRequest,
  FurtherRequest,
  GameConfigurationRequest,
  StatisticsFilter,
  StatisticsRequest,
} from './read-request';
