import type { IncomingMessage } from 'node:http';
import { escapeControls } from '../../protocol/identifiers';
import { type CallerSecrets, claimedAuthId } from '../../protocol/authentication';
import { pathOf } from '../../platform/http';
import type { CallEvent } from './call-event';

/** What an endpoint notes about the call in its hands. */
export interface Trace {
  /** The number of the call. */
  readonly cause: number | null;
  verdict: CallEvent['verdict'];
  signed: CallEvent['signed'];
  callerId: string | null;
  gameRound: string | null;
  isRepeat: boolean;
}

/** Longest name in a trace. */
const longestName = 256;

/** A trace of a call of which nothing is verified. */
export function newTrace(verdict: Trace['verdict'], cause: number | null): Trace {
  return { cause, verdict, signed: null, callerId: null, gameRound: null, isRepeat: false };
}

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
  const shown = (text: string): string => {
    const cut = escapeControls(text).slice(0, longestName);
    return holdsSecret(text, secrets) ? '[secret]' : cut;
  };
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

function holdsSecret(text: string, { byId }: CallerSecrets): boolean {
  for (const own of byId.values()) if (own.some((secret) => secret.isWithin(text))) return true;
  return false;
}
