import type { IncomingMessage, ServerResponse } from 'node:http';
import { createOperatorHandler, type OperatorHandler } from '../http/handler';
import type { OperatorOptions } from '../http/configuration/options';

/** What Express 4 and 5, and anything else with middleware, accepts as a router. */
export interface OperatorRouter {
  (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void;
  /** For your own readiness probe: see {@link OperatorHandler.ready}. */
  readonly ready: OperatorHandler['ready'];
  /**
   * Resolves when the calls in flight, and their background work, are done. A call that still arrives is
   * answered, and closes its connection.
   */
  readonly close: OperatorHandler['close'];
}

/**
 * A router with POST /doTransactions and GET /getBalance. Mount it under any path of your app, before any
 * body parser. Other paths are left to the app.
 * @throws TypeError for wrong options, at creation.
 */
export function createOperatorRouter(options: OperatorOptions): OperatorRouter {
  const { find, ready, close } = createOperatorHandler(options);
  const router = (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ): void => {
    const listener = find(request);
    if (listener === null) next();
    else listener(request, response);
  };
  return Object.assign(router, { ready, close });
}
