import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener } from '../../../platform/http';
import { type OperationsOptions, readOptions } from '../configuration';
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

/** The same for the function of this name, which errors in the options begin with. */
export function handlerOf<R extends IncomingMessage>(
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
