import { CallRunner } from '../../protocol/client/run-call';
import { documentOf } from '../../protocol/client/exchange';
import { NetworkError, TimeoutError } from '../../protocol/client/errors';
import type { Outgoing } from '../../protocol/client/outgoing';
import type { Received } from '../../protocol/client/send';
import type { JsonDocument } from '../../protocol/json/parse';
import { MessageFault } from '../../protocol/json/documents';
import type { SignedPart } from '../../protocol/signature';
import type { AttemptSettings, Party } from './settings';

/** A request to sign and to send. */
interface LineRequest {
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  /** Path with the query, appended to the address. */
  readonly target: string;
  readonly body: string | null;
  readonly parts: readonly SignedPart[];
}

/** What one attempt brought: a whole reply, or the reason for none. */
export type Attempted =
  | {
      readonly kind: 'reply';
      readonly status: number;
      /** Null if the reply is not JSON. */
      readonly document: JsonDocument | null;
      /** The reply's text if it is JSON. */
      readonly text: string;
      /** Such as `text/html`; null if there is none. */
      readonly contentType: string | null;
    }
  | { readonly kind: 'timeOut' }
  /** The connection failed, or the reply is longer than allowed: it cannot be read to its end. */
  | { readonly kind: 'cut' };

/** Makes one attempt at a request to a party, signed anew (W1). Never rejects. */
export type Attempt = (request: LineRequest) => Promise<Attempted>;

/** Attempts at requests to one party. No two of them have one signature (D1.8). */
function attemptsAt(party: Party, settings: AttemptSettings): Attempt {
  const { timeoutMs, maxReplyBytes } = settings;
  const runner = new CallRunner({
    ...party,
    ...settings,
    attemptTimeoutMs: timeoutMs,
    attempts: 1,
    newRequestId: null,
    reportAttempt: () => {},
  });
  return async ({ parts, ...request }) => {
    const outgoing: Outgoing = {
      ...request,
      signed: { kind: 'parts', parts },
      isRepeatable: false,
      mayBeEmpty: true,
    };
    try {
      return read(await runner.receive(outgoing), maxReplyBytes);
    } catch (error) {
      if (error instanceof TimeoutError) return { kind: 'timeOut' };
      // A bug in this code must not look like a network failure.
      if (error instanceof NetworkError) return { kind: 'cut' };
      throw error;
    }
  };
}

function read(received: Received, maxReplyBytes: number): Attempted {
  const { status, bytes, contentType } = received;
  if (bytes === null) return { kind: 'cut' };
  try {
    const { document, text } = documentOf(received, maxReplyBytes);
    return { kind: 'reply', status, document, text, contentType };
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    return { kind: 'reply', status, document: null, text: '', contentType };
  }
}

/** The attempts at each party of a line, by its id. A party's signatures are unique (D1.8). */
export function attemptsById(
  parties: readonly Party[],
  settings: AttemptSettings,
): ReadonlyMap<string, Attempt> {
  return new Map(parties.map((party) => [party.authId, attemptsAt(party, settings)]));
}
