import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  BodyConsumedError,
  BodyRefusedError,
  canAnswer,
  Endpoint,
  type JsonAnswer,
  noBody,
} from '../../platform/http';
import { randomUuid } from '../../platform/random';
import { EngineRefusedError } from '../../protocol/engine-api/errors';
import { writeError } from '../../protocol/engine-api/write-reply';
import { type Api, type ApiRules, asDetail } from './api';
import { ApiCall, namesOf, type Success, visibleHeader } from './call';

/** Where a call is, and its steps. What they throw besides EngineRefusedError and BodyRefusedError is answered as 500. */
export interface ApiSteps<M> {
  /** Null for a path that the API does not have. */
  readonly name: string | null;
  readonly method: 'GET' | 'POST';
  /** Below the base path; `/name` unless set. */
  readonly path?: string;
  /** Whether it is unsigned, and open to every origin (E5.2). */
  readonly isForBrowsers?: true;
  receive?(request: IncomingMessage): Uint8Array | Promise<Uint8Array>;
  verify(call: ApiCall<M>): void;
  read(call: ApiCall<M>): M;
  /** The JSON of a 200. */
  answer(callerId: string, message: M, cause: number | null): Promise<string | Success>;
}

/** Serves one call of an API. */
export class ApiEndpoint<M> extends Endpoint<ApiCall<M>, M> {
  readonly isForBrowsers: boolean;

  constructor(
    private readonly api: Api,
    readonly steps: ApiSteps<M>,
  ) {
    super();
    this.isForBrowsers = steps.isForBrowsers ?? false;
  }

  protected begin(request: IncomingMessage, response: ServerResponse): ApiCall<M> {
    const { clock, numberOf } = this.api.settings;
    const startedAt = clock.monotonicMs();
    const verdict = this.isForBrowsers ? 'unsigned' : 'refused';
    const call = new ApiCall<M>(request, response, startedAt, verdict, numberOf?.() ?? null);
    this.setHeaders(call);
    return call;
  }

  /** Echoes X-Request-Id, and names the response (E2.5); a browser's reply is open to every origin. */
  private setHeaders({ request, response }: ApiCall<M>): void {
    const requestId = visibleHeader(request, 'x-request-id');
    if (requestId !== null) response.setHeader('x-request-id', requestId);
    const given = visibleHeader(request, 'x-response-id');
    response.setHeader('x-response-id', given ?? randomUuid(this.api.settings.random));
    if (!this.isForBrowsers) return;
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader(
      'access-control-expose-headers',
      'x-h-error-id, x-request-id, x-response-id',
    );
  }

  protected override receive({ request }: ApiCall<M>): Uint8Array | Promise<Uint8Array> {
    return this.steps.receive?.(request) ?? noBody;
  }

  protected verify(call: ApiCall<M>): void {
    this.steps.verify(call);
  }

  protected read(call: ApiCall<M>): M {
    return this.steps.read(call);
  }

  protected async work(call: ApiCall<M>, message: M): Promise<void> {
    const answer = await this.steps.answer(call.callerId, message, call.cause);
    call.success = typeof answer === 'string' ? { text: answer } : answer;
  }

  protected reply({ response, success: { text, afterReply } }: ApiCall<M>): JsonAnswer {
    if (afterReply !== undefined) onceEnded(response, afterReply);
    return { status: 200, text };
  }

  /** Answers with an error and a reference, which the trace has too (E3.1). */
  protected fail(call: ApiCall<M>, failure: unknown): JsonAnswer {
    const { response } = call;
    const refused = refusalOf(failure, this.api.rules);
    const errorId = randomUuid(this.api.settings.random);
    const { errorObject, status, rule } = refused;
    const cause = refused === failure ? null : failure;
    call.error = { id: errorObject.id, errorId, rule, cause };
    if (!response.headersSent) response.setHeader('x-h-error-id', errorId);
    return { status, text: writeError(errorObject) };
  }

  protected report(call: ApiCall<M>): void {
    const { onCall, secrets, clock } = this.api.settings;
    if (onCall === null) return;
    const { request, cause, verdict, signed, callerId, gameRound, isRepeat, status, error } = call;
    const { claimedId, ...names } = namesOf(request, secrets);
    const event = {
      request,
      call: this.steps.name,
      ...names,
      claimedId: verdict === 'verified' ? null : claimedId,
      cause,
      verdict,
      signed,
      callerId: callerId === '' ? null : callerId,
      gameRound,
      isRepeat,
      status,
      error,
      durationMs: clock.monotonicMs() - call.startedAt,
    };
    try {
      onCall(Object.freeze(event));
    } catch {
      // What the listener throws is ignored.
    }
  }
}

/** The refusal that a failure is answered with; of what is unexpected nothing is sent (E3). */
function refusalOf(failure: unknown, { body }: ApiRules): EngineRefusedError {
  if (failure instanceof EngineRefusedError) return failure;
  if (failure instanceof BodyRefusedError) {
    const { detail, status } = failure;
    return new EngineRefusedError('INVALIDPARAMETER', body, status, asDetail(detail));
  }
  const rule = failure instanceof BodyConsumedError ? body : 'E3.2';
  return new EngineRefusedError('INTERNALERROR', rule);
}

/** Does the work once, when the reply is sent or its receiver is gone. */
function onceEnded(response: ServerResponse, work: () => void): void {
  if (!canAnswer(response)) return work();
  let isDone = false;
  const runOnce = (): void => {
    if (isDone) return;
    isDone = true;
    work();
  };
  response.once('finish', runOnce).once('close', runOnce);
}
