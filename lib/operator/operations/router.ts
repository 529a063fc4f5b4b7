import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationsOptions } from './configuration';
import { handlerOf } from './server';

/** What Express 4 and 5, and anything else with middleware, accepts as a router. */
export type OperationsRouter<R extends IncomingMessage = IncomingMessage> = (
  request: R,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * A router with the pages for the people who run the wallet: what waits for a person, players, rounds. Mount
 * it under any path of your app. Other paths are left to the app.
 * @throws TypeError for wrong options, at creation; without `authorize` above all.
 */
export function createOperationsRouter<R extends IncomingMessage = IncomingMessage>(
  options: OperationsOptions<R>,
): OperationsRouter<R> {
  const { find } = handlerOf('createOperationsRouter', options);
  return (request, response, next) => {
    const listener = find(request);
    if (listener === null) next();
    else listener(request, response);
  };
}
