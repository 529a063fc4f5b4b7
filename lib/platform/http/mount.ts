import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Background } from './background';
import type { Endpoint, ServedCall } from './endpoint';
import { type RequestListener, type Route, Routes } from './routes';

/** The endpoints of an API as one listener. */
export interface Mounted {
  /** Answers every request; a path that the API does not have with 404. */
  readonly handle: RequestListener;
  /** The listener for a request, by its path; null for a path that the API does not have. */
  readonly find: (request: IncomingMessage) => RequestListener | null;
  /** Resolves when the calls in flight are answered, and their background work is done. */
  readonly close: () => Promise<void>;
}

/** What Express 4 and 5, and anything else with middleware, accepts as a router. */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * The route of an endpoint.
 * @param methodError What a request with another method is answered with.
 * @param onError Called with what serving a call rejects with.
 */
export function routeOf(
  endpoint: Pick<Endpoint<ServedCall<unknown>, unknown>, 'handle'>,
  { path, method }: Pick<Route, 'path' | 'method'>,
  background: Background,
  methodError: Error,
  onError?: (error: unknown) => void,
): Route {
  const work = (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    endpoint.handle(request, response);
  return {
    path,
    method,
    listener: listenIn(background, work, onError),
    otherMethod: listenIn(background, async (request, response) => {
      if (!response.headersSent) response.setHeader('allow', method);
      await endpoint.handle(request, response, methodError);
    }),
  };
}

/** Mounts routes; `otherPath` answers a request that none of them is for. */
export function mount(
  routes: readonly Route[],
  otherPath: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  background: Background,
): Mounted {
  const table = new Routes(routes);
  const find = (request: IncomingMessage): RequestListener | null => table.find(request);
  const other = listenIn(background, otherPath);
  return Object.freeze({
    handle: (request: IncomingMessage, response: ServerResponse) =>
      (find(request) ?? other)(request, response),
    find,
    close: () => background.close(),
  });
}

/** Leaves other paths to the app. */
export function middlewareOf({ find }: Pick<Mounted, 'find'>): Middleware {
  return (request, response, next) => {
    const listener = find(request);
    if (listener === null) next();
    else listener(request, response);
  };
}

/** A listener whose work `close` waits for; what the work rejects with goes to `onError`. */
function listenIn(
  background: Background,
  work: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  onError: (error: unknown) => void = ignore,
): RequestListener {
  return (request, response) => {
    response.on('error', ignore);
    // Otherwise server.close() never ends while a keep-alive client keeps sending.
    if (background.signal.aborted && !response.headersSent) {
      response.setHeader('connection', 'close');
    }
    background.add(work(request, response), onError);
  };
}

function ignore(): void {}
