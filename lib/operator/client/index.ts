export {
  type DecimalText,
  type ExactJson,
  type ExactJsonObject,
  readExactAmount,
} from '../../protocol/json/exact';
export { ExactNumber, type Writable } from '../../protocol/json/write';
export { createRgsClient, type RgsClient } from './create-client';
export {
  AbortedError,
  type ErrorReply,
  type FailedCall,
  type FailureOutcome,
  InvalidReplyError,
  InvalidRequestError,
  NetworkError,
  RgsClientError,
  type RgsClientErrorCode,
  ServiceError,
  type ServiceErrorObject,
  SignatureRefusedError,
  TimeoutError,
} from '../../protocol/client/errors';
export type { AttemptEvent, FetchInit, FetchPort, FetchReply } from '../../protocol/client/ports';
export type { CallOptions } from '../../protocol/client/run-call';
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
