import type { IncomingMessage, ServerResponse } from 'node:http';
import { Background, type RequestListener, type Route, Routes } from '../../platform/http';
import { RequestRefusedError } from '../../protocol/operator-api';
import { Authenticator } from './authentication/authenticate';
import { ClockWatch } from './clock-watch';
import { DoTransactionsEndpoint, type EndpointParts } from './do-transactions';
import { GetBalanceEndpoint } from './get-balance';
import { type OperatorOptions, type OperatorSettings, readOptions } from './configuration/options';
import { Overload } from './overload';
import { warnOfShortMemory } from './authentication/replay-window';
import type { Operation } from '../events';
import { outcomeHook } from './outcome-hook';
import { replyToError } from './messages/reply-to-error';

/** The operator's side of the protocol, without a framework. */
export interface OperatorHandler {
  /** POST /doTransactions. */
  readonly doTransactions: RequestListener;
  /** GET /getBalance. */
  readonly getBalance: RequestListener;
  /** Both by path, for node:http; other paths are answered 404. */
  readonly handle: RequestListener;
  /** The listener for a request, by its path and method; null for a path that is not the protocol's. */
  readonly find: (request: IncomingMessage) => RequestListener | null;
  /**
   * For your own readiness probe: resolves if the store is ready and the clock of this process is no more than half of
   * `clockToleranceMs` from the store's, which is compared every 30 s.
   * @throws what `store.ready()` throws; an error with the code CLOCKDIFFERS.
   */
  readonly ready: () => Promise<void>;
  /**
   * Resolves when the calls in flight, and their background work, are done. A call that still arrives is
   * answered, and closes its connection.
   */
  readonly close: () => Promise<void>;
}

/**
 * The handler of an operator's wallet over Node's request and response; Express adds only routing.
 * @throws TypeError for wrong options, at creation.
 */
export function createOperatorHandler(options: OperatorOptions): OperatorHandler {
  const background = new Background();
  const settings = withOutcomeHook(readOptions(options), background);
  warnOfShortMemory(settings);
  const operatorIds = [...settings.secrets.byId.keys()];
  const overload = new Overload(settings.maxInFlight, operatorIds);
  const authenticator = new Authenticator(settings);
  const parts: EndpointParts = { settings, authenticator, overload, background };
  const { store } = options;
  const inFlight = () => overload.inFlight;
  const unwatch = settings.recorder?.watchWallet({ store, operatorIds, inFlight });
  const doTransactions = listen(new DoTransactionsEndpoint(parts), parts);
  const getBalance = listen(new GetBalanceEndpoint(parts), parts);
  const route = (
    operation: Operation,
    method: 'GET' | 'POST',
    listener: RequestListener,
  ): Route => {
    const detail = `The method must be ${method}.`;
    const otherMethod: RequestListener = (request, response) => {
      response.setHeader('allow', method);
      replyToError(request, response, refusalOf(405, detail), { settings, operation });
    };
    return { path: `/${operation}`, method, listener, otherMethod };
  };
  const routes = new Routes([
    route('doTransactions', 'POST', doTransactions),
    route('getBalance', 'GET', getBalance),
  ]);
  const refusePath: RequestListener = (request, response) => {
    const error = refusalOf(404, 'There is nothing at this path.');
    replyToError(request, response, error, { settings, operation: null });
  };
  const find = (request: IncomingMessage) => routes.find(request);
  const handle: RequestListener = (request, response) =>
    (find(request) ?? refusePath)(request, response);
  const clockWatch = new ClockWatch({ ...settings, store });
  clockWatch.start();
  const ready = async () => {
    await store.ready();
    await clockWatch.check();
  };
  const close = async () => {
    clockWatch.close();
    await parts.background.close();
    unwatch?.();
  };
  return Object.freeze({ doTransactions, getBalance, handle, find, ready, close });
}

/** The settings with the user's hook among the listeners. */
function withOutcomeHook(settings: OperatorSettings, background: Background): OperatorSettings {
  const { events, hooks } = settings;
  if (hooks.onOutcome === undefined) return settings;
  const hook = outcomeHook(hooks.onOutcome, settings, background, events);
  return Object.freeze({ ...settings, events: events.with(hook) });
}

function refusalOf(status: number, detail: string): RequestRefusedError {
  return new RequestRefusedError('INVALIDPARAMETER', detail, status);
}

/** The endpoint as a listener; closing waits for its work. */
function listen(
  endpoint: {
    handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  },
  { background, settings }: EndpointParts,
): RequestListener {
  return (request, response) => {
    response.on('error', () => {});
    // Without an end of its connections, a server that is closed goes on for a caller that never pauses.
    if (background.signal.aborted) response.setHeader('connection', 'close');
    background.add(endpoint.handle(request, response), (error) => {
      settings.events.emit({ kind: 'endpointFailed', error });
    });
  };
}
