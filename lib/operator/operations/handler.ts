import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener } from '../../platform/http';
import { type OperationsOptions, readOptions } from './configuration/options';
import { Pages } from './pages';

/** The operations page without a framework. */
export interface OperationsHandler {
  /** Answers every request; paths that are not a page are 404. The page is at the root of the server. */
  readonly handle: RequestListener;
  /** The listener for a request by its path; null for a path that is not one of the page. */
  readonly find: (request: IncomingMessage) => RequestListener | null;
}

/**
 * The operations page over Node's request and response.
 * @throws TypeError for wrong options, at creation.
 */
export function createOperationsHandler<R extends IncomingMessage = IncomingMessage>(
  options: OperationsOptions<R>,
): OperationsHandler {
  return handlerOf('createOperationsHandler', options);
}

/** `maker` is the function that errors in the options name. */
function handlerOf<R extends IncomingMessage>(
  maker: string,
  options: OperationsOptions<R>,
): OperationsHandler {
  const pages = new Pages(readOptions(maker, options));
  const handle = (request: IncomingMessage, response: ServerResponse): void =>
    pages.handle(request, response);
  const find = (request: IncomingMessage): RequestListener | null =>
    pages.knows(request) ? handle : null;
  return Object.freeze({ handle, find });
}

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
