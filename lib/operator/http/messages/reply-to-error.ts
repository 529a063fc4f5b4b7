import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, RequestRefusedError } from '../../../protocol/operator-api';
import { StoreUnavailableError } from '../../wallet';
import { escapeControls } from '../../../protocol/identifiers';
import { signatureHeaders } from '../../../protocol/signature';
import { utf8 } from '../authentication/authenticate';
import { KnownCallerError, namesForLog } from '../authentication/known-caller';
import type { OperatorSettings } from '../configuration/options';
import { BodyConsumedError } from './read-body';
import type { Operation } from '../../events';
import { sendOrCut } from './reply';

/** The answer to an error. */
interface Answer {
  readonly status: number;
  readonly code: ErrorCode;
  readonly outcome: 'refused' | 'unknown';
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
): void {
  const isKnown = failure instanceof KnownCallerError;
  const error = isKnown ? failure.cause : failure;
  const { status, code, outcome, detail } = answerFor(error, operation);
  sendOrCut(response, {
    status,
    body: { errorCode: { ...settings.renderError(code, detail) } },
    close: hasUnreadBody(request),
  });
  const { clock, events } = settings;
  const isRefusal = error instanceof RequestRefusedError;
  if (!events.wants('callRefused', isRefusal ? 'warn' : 'error')) return;
  const durationMs = startedAt === undefined ? 0 : clock.monotonicMs() - startedAt;
  const who = isKnown ? failure.caller : { claimedOperatorId: claimedId(request) };
  const names = namesForLog(who, settings.secrets.byOperator);
  events.tell({
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
  });
}

/** A balance that could not be read is unknown: that is not a refusal (D9). */
function answerFor(error: unknown, operation: Operation | null): Answer {
  if (error instanceof RequestRefusedError) {
    const { status, code, detail } = error;
    return { status, code, detail, outcome: 'refused' };
  }
  if (error instanceof BodyConsumedError) {
    return { status: 400, code: 'INTERNALERROR', detail: error.message, outcome: 'refused' };
  }
  if (error instanceof StoreUnavailableError) {
    return { status: 503, code: 'TEMPORARILYUNAVAILABLE', outcome: 'unknown' };
  }
  if (operation !== 'getBalance') return { status: 400, code: 'INTERNALERROR', outcome: 'refused' };
  return { status: 500, code: 'INTERNALERROR', outcome: 'unknown' };
}

/** A GET is answered before node reports it complete, although nothing is left to read. */
function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  const length = headers['content-length'] ?? '0';
  return !complete && (headers['transfer-encoding'] !== undefined || Number(length) !== 0);
}

/** From an unverified caller, so it must not control the reader's terminal. */
function claimedId({ headers }: IncomingMessage): string | undefined {
  const id = headers[signatureHeaders.authId.toLowerCase()];
  return typeof id === 'string' ? escapeControls(utf8(id)) : undefined;
}
