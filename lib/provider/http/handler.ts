import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Background,
  type RequestListener,
  type Route,
  Routes,
  sendJson,
} from '../../platform/http';
import { engineErrors } from '../../protocol/engine-api';
import { writeJson } from '../../protocol/json';
import { Admission, methodOf } from './admission';
import { Endpoint } from './endpoint';
import { operationsOf } from './operations';
import {
  type GameProviderOptions,
  type GameProviderSettings,
  readProviderOptions,
} from './options';
import { invalid } from './refused';

/** A game provider's side of the calls from the RGS, without a framework. */
export interface GameProviderHandler {
  /** All calls by path, for node:http; a path without a handler is answered 404. */
  readonly handle: RequestListener;
  /** The listener for a request; null for a path without a handler. */
  readonly find: (request: IncomingMessage) => RequestListener | null;
  /** Resolves when the calls in flight are answered, and the rounds being closed are done. */
  readonly close: () => Promise<void>;
}

/** What Express 4 and 5, and anything else with middleware, accepts as a router. */
export interface GameProviderRouter {
  (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void;
  readonly close: GameProviderHandler['close'];
}

/**
 * The handler of a game provider over Node's request and response: getGameConfiguration, getGameResult,
 * doAutoClose, health and certifiedfiles, each if you give it (S3).
 * @throws TypeError for wrong options, at creation.
 */
export function createGameProviderHandler(options: GameProviderOptions): GameProviderHandler {
  return handlerOf(readProviderOptions(options, 'createGameProviderHandler'));
}

/**
 * The same as middleware. Mount it under any path of your app, before any body parser. Other paths, and calls
 * without a handler, are left to the app.
 * @throws TypeError for wrong options, at creation.
 */
export function createGameProviderRouter(options: GameProviderOptions): GameProviderRouter {
  const { find, close } = handlerOf(readProviderOptions(options, 'createGameProviderRouter'));
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

function handlerOf(settings: GameProviderSettings): GameProviderHandler {
  const background = new Background();
  const admission = new Admission(settings);
  const routes = [...operationsOf(settings, background)].map(([operation, operate]): Route => {
    const endpoint = new Endpoint(operation, operate, admission, settings);
    const method = methodOf[operation];
    return {
      path: `/${operation}`,
      method,
      listener: (request, response) => {
        response.on('error', () => {});
        // Without an end of its connections, a server that is closed goes on for a caller that never pauses.
        if (background.signal.aborted) response.setHeader('connection', 'close');
        background.add(endpoint.handle(request, response), (err) => {
          settings.logger.error({ operation, err }, 'game provider call failed');
        });
      },
      otherMethod: (request, response) => {
        response.setHeader('allow', method);
        endpoint.refuse(request, response, invalid(`The method must be ${method}.`, 405));
      },
    };
  });
  const table = new Routes(routes);
  const find = (request: IncomingMessage) => table.find(request);
  const handle: RequestListener = (request, response) =>
    (find(request) ?? refusePath)(request, response);
  return Object.freeze({ handle, find, close: () => background.close() });
}

const refusePath: RequestListener = (_request, response) => {
  const { id, clientmsg } = engineErrors.INVALIDPARAMETER;
  const errorCode = { id, msg: 'There is nothing at this path.', clientmsg };
  sendJson(response, { status: 404, text: writeJson({ errorCode }) });
};
