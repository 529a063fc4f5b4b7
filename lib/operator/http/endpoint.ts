import {
  type Background,
  BodyConsumedError,
  BodyRefusedError,
  Endpoint,
  type JsonAnswer,
  ReplyLostError,
  ServedCall,
} from '../../platform/http';
import type { Callers, Refusals } from '../../protocol/authentication/callers';
import { type CallerSecrets, shownName } from '../../protocol/authentication/credentials';
import { claimedAuthId } from '../../protocol/authentication/claim';
import type { Spans } from '../../platform/tracing';
import { writeJson } from '../../protocol/json/write';
import { RequestRefusedError } from '../../protocol/operator-api/catalogue';
import type { CallRefused, Operation } from '../events';
import type { CallerNames } from '../events/event';
import { StoreUnavailableError } from '../wallet';
import type { OperatorSettings } from './options';
import type { Overload } from './overload';
import type { RoundShedding } from './shed-rounds';
import { noteRefused } from './trace-attributes';

/** What the endpoints of one router share. */
export interface EndpointParts {
  readonly settings: OperatorSettings;
  readonly callers: Callers;
  readonly overload: Overload;
  /** Null if no round is shed. */
  readonly shedding: RoundShedding | null;
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
}

/** Serves one operation. */
export abstract class OperatorEndpoint<C extends OperatorCall<M>, M> extends Endpoint<C, M> {
  protected override readonly spans: Spans | null;
  protected override readonly spanName: string;
  /** The answer to every request whose caller is not verified, written once: anyone can send one. */
  private readonly toStranger: JsonAnswer;

  constructor(
    protected readonly parts: EndpointParts,
    readonly operation: Operation,
  ) {
    super();
    this.spans = parts.settings.spans;
    this.spanName = `rgs.${operation}`;
    this.toStranger = Object.freeze(this.write(byStranger));
  }

  protected abstract reportAnswered(call: C): void;

  /**
   * Of this request nothing was processed. An unexpected error is answered 400 to doTransactions, because nothing moved and a
   * credit never gets a 5xx (operator-api 4.1, rule 6); its text stays in the log.
   */
  protected fail(call: C, error: unknown): JsonAnswer {
    const isStranger = error === refusals.stranger;
    call.refused = isStranger ? byStranger : refusedBy(error, this.operation);
    return isStranger ? this.toStranger : this.write(call.refused);
  }

  private write({ status, code, detail }: Refused): JsonAnswer {
    const { renderError } = this.parts.settings;
    return { status, text: writeJson({ errorCode: { ...renderError(code, detail) } }) };
  }

  protected report(call: C): void {
    if (call.refused === null) this.reportAnswered(call);
    else this.reportRefused(call, call.refused);
  }

  private reportRefused(call: C, refused: Refused): void {
    const { clock, events, secrets } = this.parts.settings;
    const { callerId, status, startedAt, span } = call;
    const { outcome, code, detail, error, isShed } = refused;
    if (span !== null) noteRefused(span, callerId, { outcome, isShed, code, status });
    if (!events.wants('callRefused', error === null ? 'warn' : 'error')) return;
    events.emit({
      kind: 'callRefused',
      // A path that is not the protocol's is refused by one of its endpoints.
      operation: refused.status === 404 ? null : this.operation,
      isVerified: callerId !== '',
      names: () => namesOf(call, secrets),
      outcome,
      code,
      detail,
      status,
      durationMs: clock.monotonicMs() - startedAt,
      error,
      isShed,
    });
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

/** The names for the log. */
function namesOf(call: OperatorCall, { all }: CallerSecrets): CallerNames {
  const shown = (name: string | null) => (name === null ? null : shownName(name, all));
  const { callerId, playerId, gameRound, request } = call;
  if (callerId === '') return { claimedOperatorId: shown(claimedAuthId(request)) ?? undefined };
  return { operatorId: callerId, playerId: shown(playerId), gameRound: shown(gameRound) };
}

/** A balance that could not be read is unknown: that is not a refusal (D9). */
function refusedBy(error: unknown, operation: Operation): Refused {
  if (error instanceof RequestRefusedError) return refusal(error.status, error.code, error.detail);
  if (error instanceof BodyRefusedError) {
    return refusal(error.status, 'INVALIDPARAMETER', error.detail);
  }
  if (error instanceof BodyConsumedError) {
    return refusal(400, 'INTERNALERROR', error.message, error);
  }
  if (error instanceof StoreUnavailableError || error instanceof ReplyLostError) {
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

const byStranger = Object.freeze(refusedBy(refusals.stranger, 'doTransactions'));
