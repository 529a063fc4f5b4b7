export {
  type AttemptEvent,
  type FetchInit,
  type FetchPort,
  type FetchReply,
  ownFetch,
} from './ports';
export { type ClientSettings, type Connection, readBaseUrl, readConnection } from './connection';
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
export { clientOptionNames, type ClientOptions, type ConnectionOptions } from './options';
export { type Outgoing, parseBody, writeBody, writeQuery } from './outgoing';
export { type CallOptions, CallRunner, UniqueTime } from './run-call';
export type { Received } from './send';
