import type { IncomingMessage, ServerResponse } from 'node:http';
import { Authenticator } from './authenticate';
import { Background } from './background';
import { DoTransactionsEndpoint, type EndpointParts } from './do-transactions';
import { GetBalanceEndpoint } from './get-balance';
import { type OperatorOptions, readOptions } from './options';
import { Overload } from './overload';
import { sendReply } from './reply';

/** Answers one request over Node's own request and response. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** The operator's side of the protocol, without a framework. */
export interface OperatorHandler {
  /** POST /doTransactions. */
  readonly doTransactions: RequestListener;
  /** GET /getBalance. */
  readonly getBalance: RequestListener;
  /** Both by path, for node:http; other paths are answered 404. */
  readonly handle: RequestListener;
  /** Answers 405 to a method that a path does not have. */
  readonly refuseMethod: (allowed: 'GET' | 'POST') => RequestListener;
  /** Resolves when the calls in work, and what goes on behind them, are done. */
  readonly close: () => Promise<void>;
}

/**
 * The handler of an operator's wallet over Node's request and response; Express adds only routing.
 * @throws TypeError for wrong options, when it is made.
 */
export function createOperatorHandler(options: OperatorOptions): OperatorHandler {
  const settings = readOptions(options);
  const parts: EndpointParts = {
    settings,
    authenticator: new Authenticator(settings),
    overload: new Overload(settings.maxInFlight),
    background: new Background(),
  };
  const doTransactions = listen(new DoTransactionsEndpoint(parts), parts);
  const getBalance = listen(new GetBalanceEndpoint(parts), parts);
  const refuse =
    (status: number, detail: string, headers: Record<string, string>) =>
    (_: IncomingMessage, response: ServerResponse) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      const errorCode = { ...settings.renderError('INVALIDPARAMETER', detail) };
      sendReply(response, { status, body: { errorCode } });
    };
  const refuseMethod = (allowed: 'GET' | 'POST') =>
    refuse(405, `The method must be ${allowed}.`, { allow: allowed });
  const routes = new Map([
    ['/doTransactions', { method: 'POST', listener: doTransactions, other: refuseMethod('POST') }],
    ['/getBalance', { method: 'GET', listener: getBalance, other: refuseMethod('GET') }],
  ]);
  const refusePath = refuse(404, 'There is nothing under this path.', {});
  const handle: RequestListener = (request, response) => {
    const route = routes.get((request.url ?? '').split('?', 1)[0] ?? '');
    if (route === undefined) return refusePath(request, response);
    const { method, listener, other } = route;
    return (request.method === method ? listener : other)(request, response);
  };
  const close = () => parts.background.close();
  return Object.freeze({ doTransactions, getBalance, handle, refuseMethod, close });
}

/** The endpoint as a listener whose work closing waits for. */
function listen(
  endpoint: {
    handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  },
  { background, settings }: EndpointParts,
): RequestListener {
  return (request, response) => {
    response.on('error', () => {});
    background.add(endpoint.handle(request, response), (error) => {
      settings.logger.error({ err: error }, 'an endpoint failed');
    });
  };
}
