import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Background,
  BodyConsumedError,
  BodyRefusedError,
  canAnswer,
  hasUnreadBody,
  type RequestListener,
  Routes,
  sendJson,
} from '../../platform/http';
import type { Clock, Random } from '../../platform';
import { randomUuid } from '../../platform/random';
import type { CallerSecrets } from '../../protocol/authentication';
import { EngineRefusedError, writeError } from '../../protocol/engine-api';
import type { CallError, CallEvent } from './call-event';
import { asDetail } from './parse';
import { namesOf, newTrace, type Trace, visibleHeader } from './trace';

/** The answer of an endpoint: the JSON of a 200. */
export interface Success {
  readonly text: string;
  /** Called once the reply is sent, or its receiver is gone. Must not throw. */
  readonly afterReply?: () => void;
}

/** A call of an API: where it is, and what answers it. */
export interface Endpoint {
  readonly call: string;
  readonly method: 'GET' | 'POST';
  /** Below the base path. */
  readonly path: string;
  /** Unsigned, and open to every origin (E5.2). */
  readonly isForBrowsers: boolean;
  /** @throws EngineRefusedError, or BodyRefusedError; anything else is answered as 500. */
  answer(request: IncomingMessage, trace: Trace): Success | Promise<Success>;
}

/** What is common to the endpoints of an API. */
export interface MountSettings {
  /** In front of every path, such as `/gameapi/v2`; may be empty. */
  readonly basePath: string;
  /** What a path or a method that the API does not have, and a body that it does not take, is refused by. */
  readonly rules: { readonly path: string; readonly body: string };
  readonly secrets: CallerSecrets;
  /** Real time. */
  readonly clock: Clock;
  readonly random: Random;
  readonly onCall: ((event: CallEvent) => void) | null;
  /** Asked as a call arrives. */
  readonly numberOf: (() => number | null) | null;
}

/** Endpoints behind one listener. */
export interface Mounted {
  /** Answers every request; a path that the API does not have with 404. */
  readonly handle: RequestListener;
  /** The listener for a request, by its path; null for a path that the API does not have. */
  readonly find: (request: IncomingMessage) => RequestListener | null;
  /** Resolves when the calls in flight are answered. */
  readonly close: () => Promise<void>;
}

/** Puts endpoints behind one listener, which answers every error in the form of E3.1. */
export function mount(endpoints: readonly Endpoint[], settings: MountSettings): Mounted {
  const background = new Background();
  const listen =
    (answer: Answering, call: string | null, isForBrowsers: boolean): RequestListener =>
    (request, response) => {
      response.on('error', () => {});
      const work = respond({ request, response, call, isForBrowsers, answer, settings });
      background.add(work, () => response.destroy());
    };
  const routes = new Routes(
    endpoints.map((endpoint) => {
      const { call, method, isForBrowsers } = endpoint;
      const refuse = listen(() => refuseMethod(settings), call, isForBrowsers);
      const otherMethod: RequestListener = (request, response) => {
        if (isForBrowsers && request.method === 'OPTIONS') return allowBrowser(request, response);
        response.setHeader('allow', method);
        return refuse(request, response);
      };
      const answer = listen(
        (request, trace) => endpoint.answer(request, trace),
        call,
        isForBrowsers,
      );
      // A HEAD would spend a token for a reply that nobody sees.
      const listener: RequestListener = (request, response) =>
        (request.method === method ? answer : otherMethod)(request, response);
      return { path: settings.basePath + endpoint.path, method, listener, otherMethod };
    }),
  );
  const refusePath = listen(() => refusePathBy(settings), null, false);
  const find = (request: IncomingMessage): RequestListener | null => routes.find(request);
  return Object.freeze({
    handle: (request: IncomingMessage, response: ServerResponse) =>
      (find(request) ?? refusePath)(request, response),
    find,
    close: () => background.close(),
  });
}

type Answering = (request: IncomingMessage, trace: Trace) => Success | Promise<Success>;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly call: string | null;
  readonly isForBrowsers: boolean;
  readonly answer: Answering;
  readonly settings: MountSettings;
}

/** Answers one request. */
async function respond(exchange: Exchange): Promise<void> {
  const { request, response, isForBrowsers, answer, settings } = exchange;
  const startedAt = settings.clock.monotonicMs();
  const number = settings.numberOf?.() ?? null;
  const trace = newTrace(isForBrowsers ? 'unsigned' : 'refused', number);
  setHeaders(exchange);
  let error: CallError | null = null;
  let status = 200;
  try {
    const { text, afterReply } = await answer(request, trace);
    if (afterReply !== undefined) onceEnded(response, afterReply);
    sendJson(response, { status, text });
  } catch (failure) {
    const refused = refusalOf(failure, settings);
    const errorId = randomUuid(settings.random);
    const { errorObject } = refused;
    status = refused.status;
    const cause = refused === failure ? null : failure;
    error = { id: errorObject.id, errorId, rule: refused.rule, cause };
    response.setHeader('x-h-error-id', errorId);
    sendJson(response, { status, text: writeError(errorObject), close: hasUnreadBody(request) });
  }
  reportCall(exchange, trace, {
    status,
    error,
    durationMs: settings.clock.monotonicMs() - startedAt,
  });
}

/** Echoes X-Request-Id, and names the response (E2.5); a browser's reply is open to every origin. */
function setHeaders({ request, response, isForBrowsers, settings }: Exchange): void {
  const requestId = visibleHeader(request, 'x-request-id');
  if (requestId !== null) response.setHeader('x-request-id', requestId);
  const responseId = visibleHeader(request, 'x-response-id') ?? randomUuid(settings.random);
  response.setHeader('x-response-id', responseId);
  if (!isForBrowsers) return;
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', 'x-h-error-id, x-request-id, x-response-id');
}

/** Answers a preflight request of a browser (E5.2). */
function allowBrowser(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET',
    'access-control-allow-headers': '*',
    'access-control-max-age': '600',
    ...(hasUnreadBody(request) ? { connection: 'close' } : {}),
  });
  response.end();
}

/** The refusal that a failure is answered with; of what is unexpected nothing is sent (E3). */
function refusalOf(failure: unknown, { rules }: MountSettings): EngineRefusedError {
  if (failure instanceof EngineRefusedError) return failure;
  if (failure instanceof BodyRefusedError) {
    const { detail, status } = failure;
    return new EngineRefusedError('INVALIDPARAMETER', rules.body, status, asDetail(detail));
  }
  const rule = failure instanceof BodyConsumedError ? rules.body : 'E3.2';
  return new EngineRefusedError('INTERNALERROR', rule);
}

function refuseMethod({ rules }: MountSettings): never {
  throw new EngineRefusedError('INVALIDPARAMETER', rules.path, 405);
}

function refusePathBy({ rules }: MountSettings): never {
  throw new EngineRefusedError('INVALIDPARAMETER', rules.path, 404);
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

function reportCall(
  { request, call, settings: { onCall, secrets } }: Exchange,
  trace: Trace,
  answered: Pick<CallEvent, 'status' | 'error' | 'durationMs'>,
): void {
  if (onCall === null) return;
  const { claimedId, ...names } = namesOf(request, secrets);
  const isVerified = trace.verdict === 'verified';
  const event = { request, call, ...names, claimedId: isVerified ? null : claimedId };
  try {
    onCall(Object.freeze({ ...event, ...trace, ...answered }));
  } catch {
    // What the listener throws is ignored.
  }
}
