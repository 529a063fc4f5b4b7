export {
  type AttemptEvent,
  type FetchInit,
  type FetchPort,
  type FetchReply,
  ownFetch,
} from './ports';
export { readBaseUrl, readConnection } from './connection';
export { type ErrorReading, type NamedError, readErrorObject } from './error-object';
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
} from './errors';
export { documentOf, type ReplyReader } from './exchange';
export { type ClientOptions, clientOptionNames, type ConnectionOptions } from './options';
export { type Outgoing, parseBody, writeBody, writeQuery } from './outgoing';
export { type CallOptions, CallRunner, UniqueTime } from './run-call';
export type { Received } from './send';
export type { ClientSettings, Connection } from './settings';
