/** What every error of the client says of the failed call. */
export interface FailedCall {
  /** The operation, or the path of another call without its first slash. */
  readonly operation: string;
  /** Number of attempts; 0 if nothing was sent. */
  readonly attempts: number;
  /** An earlier attempt may have had its effect, whatever the latest one was answered. */
  readonly isInDoubt?: boolean;
}

/** Stable code of each error of the client. */
export type RgsClientErrorCode = RgsClientError['code'];

/**
 * What a failed call did: `nothing` if it was not sent, `refused` if the service answered 4xx and so did
 * nothing, `unknown` after all else.
 */
export type FailureOutcome = 'nothing' | 'refused' | 'unknown';

/** What an error says of the reply, if there was one. */
export interface ErrorReply {
  readonly errorReference?: string | null;
  readonly serviceCode?: string | null;
}

/** The base of every error of the client. */
abstract class FailedCallError extends Error {
  /** The operation, or the path of another call without its first slash. */
  readonly operation: string;
  /** Number of attempts; 0 if nothing was sent. */
  readonly attempts: number;
  /** What the latest attempt did. Of a void, what all attempts did: a refusal after a lost one is `unknown`. */
  readonly outcome: FailureOutcome;
  /** The x-h-error-id of the reply: the service finds the call in its log by it. Null if there is none. */
  readonly errorReference: string | null;
  /** The code of the reply's error id, such as `GAMEROUNDNOTACTIVE`; null for an id that the kit does not know. */
  readonly serviceCode: string | null;

  protected constructor(
    { operation, attempts }: FailedCall,
    problem: string,
    outcome: FailureOutcome,
    { errorReference = null, serviceCode = null }: ErrorReply = noReply,
  ) {
    super(`${operation}: ${problem}`);
    this.operation = operation;
    this.attempts = attempts;
    this.outcome = outcome;
    this.errorReference = errorReference;
    this.serviceCode = serviceCode;
  }
}

/** A call that was sent may have had any effect. */
function sentOutcome({ attempts }: FailedCall): FailureOutcome {
  return attempts === 0 ? 'nothing' : 'unknown';
}

const noReply: ErrorReply = Object.freeze({});

/** Only a 4xx says that nothing was done (E3.2); of an attempt before it that says nothing. */
function outcomeOf(status: number, { isInDoubt = false }: FailedCall): FailureOutcome {
  return status >= 400 && status < 500 && !isInDoubt ? 'refused' : 'unknown';
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
    super({ operation, attempts: 0 }, `${field} ${problem}.`, 'nothing');
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

/** The service refused the call or failed: a status other than 2xx, or an errorCode with any status. */
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
    reply?: ErrorReply,
  ) {
    const error = id === null ? 'without an error object' : `error ${id}`;
    const problem = `the service answered ${status}, ${error}${msg === null ? '' : `: ${msg}`}`;
    super(call, problem, outcomeOf(status, call), reply);
    this.id = id;
    this.msg = msg;
    this.clientmsg = clientmsg;
  }
}

/** The service refuses the signature: 401, or error 1001 with any status. A retry does not help. */
export class SignatureRefusedError extends FailedCallError {
  override readonly name = 'SignatureRefusedError';
  readonly code = 'SIGNATURE_REFUSED';

  constructor(
    call: FailedCall,
    /** HTTP status of the reply. */
    readonly status: number,
    /** Id of the reply's errorCode; null if there is none. */
    readonly id: number | null,
    { idName = 'operator ID', ...reply }: ErrorReply & { readonly idName?: string } = noReply,
  ) {
    super(
      call,
      `the service answered ${status} and refuses the signature: check the ${idName}, the secret and the machine's clock`,
      // A gateway's own 5xx may have the same id.
      outcomeOf(status, call),
      reply,
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
    reply?: ErrorReply,
  ) {
    const what = field === '' ? 'the reply' : `${field} of the reply`;
    super(call, `${what} ${problem}.`, 'unknown', reply);
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
    super(call, `the service could not be reached (${reason})`, 'unknown');
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
    super(call, `no reply within the time limit of the ${which}`, sentOutcome(call));
  }
}

/** The caller's signal aborted the call; if it was sent, its outcome is unknown. */
export class AbortedError extends FailedCallError {
  override readonly name = 'AbortedError';
  readonly code = 'ABORTED';

  constructor(call: FailedCall) {
    super(call, 'the call was aborted', sentOutcome(call));
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
