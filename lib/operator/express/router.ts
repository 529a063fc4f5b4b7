import type { IncomingMessage, ServerResponse } from 'node:http';
import { createOperatorHandler, type OperatorHandler } from '../http/handler';
import type { OperatorOptions } from '../http/configuration/options';

/** What Express 4 and 5, and whatever else has middleware, takes as a router. */
export interface OperatorRouter {
  (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void;
  /** Resolves when the calls in work, and what goes on behind them, are done. */
  readonly close: OperatorHandler['close'];
}

/**
 * A router with POST /doTransactions and GET /getBalance, to be mounted under any path of your own
 * app, before any body parser. What is under other paths is left to the app.
 * @throws TypeError for wrong options, when it is made.
 */
export function createOperatorRouter(options: OperatorOptions): OperatorRouter {
  const { find, close } = createOperatorHandler(options);
  const router = (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ): void => {
    const listener = find(request);
    if (listener === null) next();
    else listener(request, response);
  };
  return Object.assign(router, { close });
}
