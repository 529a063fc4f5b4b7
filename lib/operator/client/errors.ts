/** What every error of the client says of the failed call. */
export interface FailedCall {
  /** The operation, or the path of another call without its first slash. */
  readonly operation: string;
  /** Number of attempts; 0 if nothing was sent. */
  readonly attempts: number;
}

/** Stable code of each error of the client. */
export type RgsClientErrorCode = RgsClientError['code'];

/** The base of every error of the client. */
abstract class FailedCallError extends Error {
  /** The operation, or the path of another call without its first slash. */
  readonly operation: string;
  /** Number of attempts; 0 if nothing was sent. */
  readonly attempts: number;

  protected constructor({ operation, attempts }: FailedCall, problem: string) {
    super(`${operation}: ${problem}`);
    this.operation = operation;
    this.attempts = attempts;
  }
}

/** The request is not valid; nothing was sent. */
export class InvalidRequestError extends FailedCallError {
  override readonly name = 'InvalidRequestError';
  readonly code = 'INVALID_REQUEST';

  constructor(
    operation: string,
    /** The wrong field, by its path: `stake`, `filterBy/dateFrom`. */
    readonly field: string,
    problem: string,
  ) {
    super({ operation, attempts: 0 }, `${field} ${problem}.`);
  }
}

/** The error object of a reply (operator-api 7, rule 1); a missing part is null. */
export interface ServiceErrorObject {
  readonly id: number | null;
  /** For the engineer. */
  readonly msg: string | null;
  /** For the player. */
  readonly clientmsg: string | null;
}

/** The service refused the call or failed: a status other than 2xx, or an errorCode beside any status. */
export class ServiceError extends FailedCallError {
  override readonly name = 'ServiceError';
  readonly code = 'SERVICE_ERROR';
  readonly id: number | null;
  readonly msg: string | null;
  readonly clientmsg: string | null;

  constructor(
    call: FailedCall,
    /** HTTP status of the reply; 200 if the errorCode came with it. */
    readonly status: number,
    { id, msg, clientmsg }: ServiceErrorObject,
  ) {
    const error = id === null ? 'without an error object' : `error ${id}`;
    super(call, `the service answered ${status}, ${error}${msg === null ? '' : `: ${msg}`}`);
    this.id = id;
    this.msg = msg;
    this.clientmsg = clientmsg;
  }
}

/** The service refuses the signature: 401, or error 1001. A retry does not help. */
export class SignatureRefusedError extends FailedCallError {
  override readonly name = 'SignatureRefusedError';
  readonly code = 'SIGNATURE_REFUSED';

  constructor(
    call: FailedCall,
    /** HTTP status of the reply. */
    readonly status: number,
    /** Id of the reply's errorCode; null without one. */
    readonly id: number | null,
  ) {
    super(
      call,
      `the service answered ${status} and refuses the signature: check the operator ID, the secret and the machine's clock`,
    );
  }
}

/** The reply does not fit this call; the outcome of the call is unknown. */
export class InvalidReplyError extends FailedCallError {
  override readonly name = 'InvalidReplyError';
  readonly code = 'INVALID_REPLY';

  constructor(
    call: FailedCall,
    /** HTTP status of the reply. */
    readonly status: number,
    /** JSON pointer to the wrong field; empty for the whole reply. */
    readonly field: string,
    problem: string,
  ) {
    super(call, `${field === '' ? 'the reply' : `${field} of the reply`} ${problem}.`);
  }
}

/** The service could not be reached, or the connection broke; the outcome of the call is unknown. */
export class NetworkError extends FailedCallError {
  override readonly name = 'NetworkError';
  readonly code = 'NETWORK_FAILURE';

  constructor(
    call: FailedCall,
    /** The system's code, such as `ECONNREFUSED`; `UNKNOWN` if there is none. */
    readonly reason: string,
  ) {
    super(call, `the service could not be reached (${reason})`);
  }
}

/** A time-out: no reply came in time; the outcome of the call is unknown. */
export class TimeoutError extends FailedCallError {
  override readonly name = 'TimeoutError';
  readonly code = 'TIMED_OUT';

  constructor(
    call: FailedCall,
    /** Which time limit passed: that of one attempt, or that of the whole call. */
    readonly which: 'attempt' | 'call',
  ) {
    super(call, `no reply within the time limit of the ${which}`);
  }
}

/** The caller's signal aborted the call; if it was sent, its outcome is unknown. */
export class AbortedError extends FailedCallError {
  override readonly name = 'AbortedError';
  readonly code = 'ABORTED';

  constructor(call: FailedCall) {
    super(call, 'the call was aborted');
  }
}

/**
 * Every error of the client: a union, so that `error.code` narrows the type. None carries the secret, a
 * signature, the signed string, a body or a cause: they are safe to log.
 */
export type RgsClientError =
  | InvalidRequestError
  | ServiceError
  | SignatureRefusedError
  | InvalidReplyError
  | NetworkError
  | TimeoutError
  | AbortedError;

/** For `instanceof`: matches every error of the client, and narrows to their union. */
export const RgsClientError = FailedCallError as unknown as abstract new (
  ...args: never
) => RgsClientError;
