import type { IncomingMessage } from 'node:http';

/** One call and its answer, for a trace: names, and nothing of a body, a query or a signature. */
export interface CallEvent {
  /** The request, to find what else was recorded of it. */
  readonly request: IncomingMessage;
  /** The number of the call, as the option `numberOf` gave it; null without that option. */
  readonly cause: number | null;
  /** Name of the call; null for a path that has none. */
  readonly call: string | null;
  readonly method: string;
  /** Without the query, which may hold a token. */
  readonly path: string;
  /** `refused`: the signature was not accepted, or not even computed. `unsigned`: a call of a browser. */
  readonly verdict: 'verified' | 'refused' | 'unsigned';
  /** What was signed; null unless the signature is verified. */
  readonly signed: 'body' | 'emptyBody' | 'emptyObject' | 'fields' | null;
  /** X-H-AUTH-ID, verified. */
  readonly callerId: string | null;
  /** X-H-AUTH-ID as claimed, of a caller that is not verified. */
  readonly claimedId: string | null;
  readonly gameRound: string | null;
  /** X-Request-Id, X-Response-Id and X-Forwarded-Response-Id of the request (E2.5). */
  readonly requestId: string | null;
  readonly responseId: string | null;
  readonly forwardedResponseId: string | null;
  /** Whether the same signature came with the same bytes before (E2.6). */
  readonly isRepeat: boolean;
  /** HTTP status of the answer. */
  readonly status: number;
  /** The error of the answer; null for a success. */
  readonly error: CallError | null;
  /** From the arrival to the answer, in milliseconds of real time. */
  readonly durationMs: number;
}

/** The error that a call was answered with. */
export interface CallError {
  /** `errorCode.id`. */
  readonly id: number;
  /** The header x-h-error-id (E3.1). */
  readonly errorId: string;
  /** The rule that decided it. */
  readonly rule: string;
  /**
   * What was thrown, for the log: also the error behind a refused body, such as a `BodyRefusedError`. Null if a rule
   * refused the call. Never sent.
   */
  readonly cause: unknown;
}

/** Something legal that is almost surely a mistake of the caller (E1.5). */
export interface HttpFinding {
  readonly id: HttpFindingId;
  readonly rule: string;
  /** Name of the call. */
  readonly call: string;
  /** Null if the call is not about a round, or the round is not read yet. */
  readonly round: string | null;
  /** For the engineer; repeats nothing that was received. */
  readonly text: string;
  /** The number of the call, as the option `numberOf` gave it; null without that option. */
  readonly cause: number | null;
}

/** The name of a finding. */
export type HttpFindingId = keyof typeof httpFindings;

/** Each finding about a request: the rule that it rests on, and its text. */
const httpFindings = Object.freeze({
  exactRepeat: {
    rule: 'E2.6',
    text: 'A request came a second time, byte for byte: sign each attempt anew.',
  },
  misspeltMember: {
    rule: 'E4.3',
    text: 'A member that the call does not have was ignored; did you mean',
  },
  requestIdRepeated: {
    rule: 'E2.5',
    text: 'Two calls have the same X-Request-Id: it names one call in the logs, and is no idempotency key.',
  },
});

/**
 * Reports a finding; a listener that throws must not fail the call.
 * @param meant The known name that the text ends with, in place of what was received.
 */
export function reportFinding(
  listener: ((finding: HttpFinding) => void) | null,
  id: HttpFindingId,
  call: string,
  round: string | null,
  cause: number | null,
  meant: string | null = null,
): void {
  if (listener === null) return;
  try {
    const { rule, text } = httpFindings[id];
    const whole = meant === null ? text : `${text} ${meant}?`;
    listener(Object.freeze({ id, rule, text: whole, call, round, cause }));
  } catch {
    // What the listener throws is ignored.
  }
}
