import { type Middleware, middlewareOf } from '../../platform/http';
import type { OperatorOptions } from '../http/options';
import { createOperatorHandler, type OperatorHandler } from '../http/handler';

/** What Express 4 and 5, and anything else with middleware, accepts as a router. */
export interface OperatorRouter extends Middleware {
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
  const handler = createOperatorHandler(options);
  const { ready, close } = handler;
  return Object.assign(middlewareOf(handler), { ready, close });
}
