import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Background,
  BodyConsumedError,
  BodyRefusedError,
  Endpoint,
  hasUnreadBody,
  sendOrCut,
  ServedCall,
} from '../../platform/http';
import {
  type Callers,
  type CallerSecrets,
  claimedAuthId,
  holdsSecret,
  type Refusals,
} from '../../protocol/authentication';
import type { Spans } from '../../platform/tracing';
import { escapeControls } from '../../protocol/identifiers';
import { writeJson } from '../../protocol/json';
import { RequestRefusedError } from '../../protocol/operator-api';
import type { CallRefused, Operation } from '../events';
import type { CallerNames } from '../events/event';
import { StoreUnavailableError } from '../wallet';
import type { OperatorSettings } from './options';
import type { Overload } from './overload';
import { noteRefused } from './trace-attributes';

/** What the endpoints of one router share. */
export interface EndpointParts {
  readonly settings: OperatorSettings;
  readonly callers: Callers;
  readonly overload: Overload;
  readonly background: Background;
}

/** The answer to a request of which nothing was processed. */
type Refused = Pick<CallRefused, 'status' | 'code' | 'outcome' | 'isShed' | 'detail' | 'error'>;

/** A call of the Operator API. */
export class OperatorCall<M = unknown> extends ServedCall<M> {
  /** What a verified caller names, for the log, although the rest of the call may be wrong. */
  playerId: string | null = null;
  gameRound: string | null = null;
  /** Null unless nothing was processed. */
  refused: Refused | null = null;

  constructor(
    /** Null if the path is not the protocol's. */
    readonly operation: Operation | null,
    request: IncomingMessage,
    response: ServerResponse,
    startedAt: number,
  ) {
    super(request, response, startedAt);
  }
}

/** Serves one operation. */
export abstract class OperatorEndpoint<C extends OperatorCall<M>, M> extends Endpoint<C, M> {
  protected override readonly spans: Spans | null;
  protected override readonly spanName: string;

  constructor(
    protected readonly parts: EndpointParts,
    readonly operation: Operation,
  ) {
    super();
    this.spans = parts.settings.spans;
    this.spanName = `rgs.${operation}`;
  }

  protected abstract reportAnswered(call: C): void;

  protected fail(call: C, error: unknown): void {
    call.refused = refuse(call, error, this.parts.settings);
  }

  protected report(call: C): void {
    if (call.refused === null) this.reportAnswered(call);
    else reportRefused(call, call.refused, this.parts.settings);
  }
}

/** What a request is refused with before its caller is known (D1). */
export const refusals: Refusals = {
  stranger: Object.freeze(new RequestRefusedError('SIGNATUREWRONG', undefined, 401)),
  unreadable: (detail) => invalid(detail),
  unsigned: (field) => invalid(`${field} is missing or not valid.`),
};

/** A request that is not as the protocol has it. */
export function invalid(detail: string, status = 400): RequestRefusedError {
  return new RequestRefusedError('INVALIDPARAMETER', detail, status);
}

/** A call that was shed before it did anything: too many are in flight. */
export class CallShedError extends StoreUnavailableError {}

/**
 * Answers a request of which nothing was processed. An unexpected error is answered 400 to doTransactions, because
 * nothing moved and a credit never gets a 5xx (operator-api 4.1, rule 6); its text stays in the log.
 */
export function refuse(
  call: OperatorCall,
  error: unknown,
  { renderError }: OperatorSettings,
): Refused {
  const refused = refusedBy(error, call);
  const { status, code, detail } = refused;
  const text = writeJson({ errorCode: { ...renderError(code, detail) } });
  sendOrCut(call.response, { status, text, close: hasUnreadBody(call.request) });
  return refused;
}

/** Reports a request of which nothing was processed. */
export function reportRefused(
  call: OperatorCall,
  refused: Refused,
  { clock, events, secrets }: OperatorSettings,
): void {
  const { operation, callerId, startedAt, span } = call;
  if (span !== null) noteRefused(span, callerId, refused);
  if (!events.wants('callRefused', refused.error === null ? 'warn' : 'error')) return;
  const { playerId, gameRound } = call;
  const isVerified = callerId !== '';
  const names = isVerified
    ? { operatorId: callerId, playerId, gameRound }
    : { claimedOperatorId: claimedId(call, secrets) };
  const { outcome, code, detail, status, error, isShed } = refused;
  events.emit({
    kind: 'callRefused',
    operation,
    isVerified,
    names: shown(names, secrets),
    outcome,
    code,
    detail,
    status,
    durationMs: clock.monotonicMs() - startedAt,
    error,
    isShed,
  });
}

/** From an unverified caller: it must not control a terminal, nor be a secret that came in by mistake. */
function claimedId({ request }: OperatorCall, { all }: CallerSecrets): string | undefined {
  const id = claimedAuthId(request);
  if (id === null) return undefined;
  return holdsSecret(id, all) ? '[secret]' : escapeControls(id);
}

/** The names for the log, each cut to the length of an identifier; one that holds a secret is replaced. */
function shown(names: CallerNames, { all }: CallerSecrets): CallerNames {
  const entries = Object.entries(names).map(([name, text]: [string, string | null | undefined]) => {
    return [name, text && holdsSecret(text, all) ? '[secret]' : text?.slice(0, 128)];
  });
  return Object.fromEntries(entries);
}

/** A balance that could not be read is unknown: that is not a refusal (D9). */
function refusedBy(error: unknown, { operation }: OperatorCall): Refused {
  if (error instanceof RequestRefusedError) return refusal(error.status, error.code, error.detail);
  if (error instanceof BodyRefusedError) {
    return refusal(error.status, 'INVALIDPARAMETER', error.detail);
  }
  if (error instanceof BodyConsumedError) {
    return refusal(400, 'INTERNALERROR', error.message, error);
  }
  if (error instanceof StoreUnavailableError) {
    const isShed = error instanceof CallShedError;
    const [status, code] = [503, 'TEMPORARILYUNAVAILABLE'] as const;
    return { status, code, outcome: 'unknown', isShed, detail: undefined, error };
  }
  if (operation !== 'getBalance') return refusal(400, 'INTERNALERROR', undefined, error);
  const [status, code] = [500, 'INTERNALERROR'] as const;
  return { status, code, outcome: 'unknown', isShed: false, detail: undefined, error };
}

/** Written out: V8 copies an object slowly if the copy gains a member, and anyone can send a wrong signature. */
function refusal(
  status: number,
  code: Refused['code'],
  detail: string | undefined,
  error: unknown = null,
): Refused {
  return { status, code, outcome: 'refused', isShed: false, detail, error };
}
