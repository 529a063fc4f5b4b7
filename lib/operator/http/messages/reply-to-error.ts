import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, RequestRefusedError } from '../../../protocol/operator-api';
import { BodyConsumedError, BodyRefusedError, hasUnreadBody } from '../../../platform/http';
import { StoreUnavailableError } from '../../wallet';
import { escapeControls } from '../../../protocol/identifiers';
import { claimedAuthId } from '../../../protocol/authentication';
import { KnownCallerError, namesForLog } from '../authentication/known-caller';
import type { OperatorSettings } from '../configuration/options';
import type { Operation } from '../../events';
import { sendOrCut } from './reply';

/** A call that was shed before it did anything: too many are in flight. */
export class CallShedError extends StoreUnavailableError {}

/** The answer to an error. */
export interface ErrorAnswer {
  readonly status: number;
  readonly code: ErrorCode;
  readonly outcome: 'refused' | 'unknown';
  /** Whether it was shed before it did anything. */
  readonly isShed?: boolean;
  readonly detail?: string | undefined;
}

/** A failed request, as far as known. */
export interface FailedRequest {
  readonly settings: OperatorSettings;
  /** Null if the path is not the protocol's. */
  readonly operation: Operation | null;
  /** When it arrived, by the monotonic clock; absent if it is answered at once. */
  readonly startedAt?: number;
}

/**
 * Answers a request of which nothing was processed, and reports it. An unexpected error is answered 400 to
 * doTransactions, because nothing moved and a credit never gets a 5xx (operator-api 4.1, rule 6); its text
 * stays in the log.
 */
export function replyToError(
  request: IncomingMessage,
  response: ServerResponse,
  failure: unknown,
  { settings, operation, startedAt }: FailedRequest,
): ErrorAnswer {
  const isKnown = failure instanceof KnownCallerError;
  const error = isKnown ? failure.cause : failure;
  const answer = answerFor(error, operation);
  const { status, code, outcome, isShed = false, detail } = answer;
  sendOrCut(response, {
    status,
    body: { errorCode: { ...settings.renderError(code, detail) } },
    close: hasUnreadBody(request),
  });
  const { clock, events } = settings;
  const isRefusal = error instanceof RequestRefusedError || error instanceof BodyRefusedError;
  if (!events.wants('callRefused', isRefusal ? 'warn' : 'error')) return answer;
  const durationMs = startedAt === undefined ? 0 : clock.monotonicMs() - startedAt;
  const who = isKnown ? failure.caller : { claimedOperatorId: claimedId(request) };
  const names = namesForLog(who, settings.secrets.byId);
  events.emit({
    kind: 'callRefused',
    operation,
    isVerified: isKnown,
    names,
    outcome,
    code,
    detail,
    status,
    durationMs,
    error: isRefusal ? null : error,
    isShed,
  });
  return answer;
}

/** A balance that could not be read is unknown: that is not a refusal (D9). */
function answerFor(error: unknown, operation: Operation | null): ErrorAnswer {
  if (error instanceof RequestRefusedError) {
    const { status, code, detail } = error;
    return { status, code, detail, outcome: 'refused' };
  }
  if (error instanceof BodyRefusedError) {
    const { status, detail } = error;
    return { status, code: 'INVALIDPARAMETER', detail, outcome: 'refused' };
  }
  if (error instanceof BodyConsumedError) {
    return { status: 400, code: 'INTERNALERROR', detail: error.message, outcome: 'refused' };
  }
  if (error instanceof StoreUnavailableError) {
    const isShed = error instanceof CallShedError;
    return { status: 503, code: 'TEMPORARILYUNAVAILABLE', outcome: 'unknown', isShed };
  }
  if (operation !== 'getBalance') return { status: 400, code: 'INTERNALERROR', outcome: 'refused' };
  return { status: 500, code: 'INTERNALERROR', outcome: 'unknown' };
}

/** From an unverified caller, so it must not control the reader's terminal. */
function claimedId(request: IncomingMessage): string | undefined {
  const id = claimedAuthId(request);
  return id === null ? undefined : escapeControls(id);
}
