import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, RequestRefusedError, StoreUnavailableError } from '../errors';
import { signatureHeaders } from '../signature';
import type { OperatorSettings } from './options';
import { BodyConsumedError } from './read-body';
import { sendReply } from './reply';

/** An error as it is answered. */
interface Answer {
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail?: string | undefined;
}

/**
 * Answers a request of which nothing was processed, and writes its line to the log. An error
 * nobody foresaw is answered 400 to doTransactions, since nothing moved and a credit never gets
 * a 5xx (operator-api 4.1, rule 6); its text stays in the log.
 */
export function replyToError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  settings: OperatorSettings,
  operation: 'doTransactions' | 'getBalance',
  startedAt: number,
): void {
  const { status, code, detail } = answerFor(error, operation);
  sendReply(response, {
    status,
    body: { errorCode: { ...settings.renderError(code, detail) } },
    close: hasUnreadBody(request),
  });
  const fields = {
    operation,
    outcome: 'refused',
    code,
    detail,
    claimedOperatorId: claimedId(request),
    status,
    durationMs: settings.clock.now() - startedAt,
  };
  if (error instanceof RequestRefusedError) settings.logger.warn(fields, 'call refused');
  else settings.logger.error({ ...fields, err: error }, 'call refused');
}

function answerFor(error: unknown, operation: 'doTransactions' | 'getBalance'): Answer {
  if (error instanceof RequestRefusedError) return error;
  if (error instanceof BodyConsumedError) {
    return { status: 400, code: 'INTERNALERROR', detail: error.message };
  }
  if (error instanceof StoreUnavailableError)
    return { status: 503, code: 'TEMPORARILYUNAVAILABLE' };
  return { status: operation === 'getBalance' ? 500 : 400, code: 'INTERNALERROR' };
}

/** A GET is answered before node tells that it is complete, and yet nothing is left to read. */
function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  const length = headers['content-length'] ?? '0';
  return !complete && (headers['transfer-encoding'] !== undefined || Number(length) !== 0);
}

function claimedId({ headers }: IncomingMessage): string | undefined {
  const id = headers[signatureHeaders.authId.toLowerCase()];
  return typeof id === 'string' ? id.slice(0, 128) : undefined;
}
