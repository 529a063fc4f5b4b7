import type { IncomingMessage, ServerResponse } from 'node:http';
import { Authenticator } from './authenticate';
import { Background } from './background';
import { DoTransactionsEndpoint, type EndpointParts } from './do-transactions';
import { GetBalanceEndpoint } from './get-balance';
import { type OperatorOptions, readOptions } from './options';
import { Overload } from './overload';
import { sendReply } from './reply';
import { type RequestListener, type Route, Routes } from './routes';

/** The operator's side of the protocol, without a framework. */
export interface OperatorHandler {
  /** POST /doTransactions. */
  readonly doTransactions: RequestListener;
  /** GET /getBalance. */
  readonly getBalance: RequestListener;
  /** Both by path, for node:http; other paths are answered 404. */
  readonly handle: RequestListener;
  /** Who answers a request, by its path and method; null where the path is none of the protocol's. */
  readonly find: (request: IncomingMessage) => RequestListener | null;
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
  const route = (path: string, method: 'GET' | 'POST', listener: RequestListener): Route => {
    const otherMethod = refuse(405, `The method must be ${method}.`, { allow: method });
    return { path, method, listener, otherMethod };
  };
  const routes = new Routes([
    route('/doTransactions', 'POST', doTransactions),
    route('/getBalance', 'GET', getBalance),
  ]);
  const refusePath = refuse(404, 'There is nothing under this path.', {});
  const find = (request: IncomingMessage) => routes.find(request);
  const handle: RequestListener = (request, response) =>
    (find(request) ?? refusePath)(request, response);
  const close = () => parts.background.close();
  return Object.freeze({ doTransactions, getBalance, handle, find, close });
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
