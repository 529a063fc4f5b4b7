import type { IncomingMessage, ServerResponse } from 'node:http';
import { pathOf, ServedCall } from '../../platform/http';
import { type CallerSecrets, shownName } from '../../protocol/authentication/credentials';
import { claimedAuthId } from '../../protocol/authentication/claim';
import { noDocument } from '../../protocol/json/documents';
import type { CallError, CallEvent } from './call-event';

/** What a call is answered with: the JSON of a 200. */
export interface Success {
  readonly text: string;
  /** Called once the reply is sent, or its receiver is gone. Must not throw. */
  readonly afterReply?: () => void;
}

/** A call of an API of the service. */
export class ApiCall<M> extends ServedCall<M> {
  signed: CallEvent['signed'] = null;
  gameRound: string | null = null;
  isRepeat = false;
  /** The body, once parsed. */
  document = noDocument;
  /** Null for a query that is not valid: an escape that is not UTF-8, or a name twice. */
  query: ReadonlyMap<string, string> | null = null;
  success: Success = { text: '' };
  error: CallError | null = null;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    startedAt: number,
    public verdict: CallEvent['verdict'],
    /** The number of the call. */
    readonly cause: number | null,
  ) {
    super(request, response, startedAt);
  }
}

/** Longest name in a trace. */
const longestName = 256;

/** A header of 1 to 128 visible ASCII characters; null for anything else, and if it is there twice (E2.5). */
export function visibleHeader({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value) ? value : null;
}

/** The names in a request, fit for a trace: escaped, cut, and without secrets. */
export function namesOf(
  request: IncomingMessage,
  secrets: CallerSecrets,
): Pick<
  CallEvent,
  'method' | 'path' | 'claimedId' | 'requestId' | 'responseId' | 'forwardedResponseId'
> {
  const shown = (text: string): string => shownName(text, secrets.all, longestName);
  const claimed = claimedAuthId(request);
  const visible = (name: string): string | null => {
    const value = visibleHeader(request, name);
    return value === null ? null : shown(value);
  };
  return {
    method: request.method ?? '',
    path: shown(pathOf(request.url ?? '')),
    claimedId: claimed === null ? null : shown(claimed),
    requestId: visible('x-request-id'),
    responseId: visible('x-response-id'),
    forwardedResponseId: visible('x-forwarded-response-id'),
  };
}
