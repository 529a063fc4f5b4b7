import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Background,
  type Middleware,
  middlewareOf,
  mount,
  type Mounted,
  type Route,
  routeOf,
  sendJson,
} from '../../platform/http';
import { Callers } from '../../protocol/authentication/callers';
import { engineErrors } from '../../protocol/engine-api/errors';
import { writeJson } from '../../protocol/json/write';
import { ProviderEndpoint } from './endpoint';
import { operationsOf } from './operations';
import {
  type GameProviderOptions,
  type GameProviderSettings,
  readProviderOptions,
} from './options';
import { invalid, refusals } from './call';

/** A game provider's side of the calls from the RGS, without a framework. A call without a handler is answered 404. */
export type GameProviderHandler = Mounted;

/** What Express 4 and 5, and anything else with middleware, accepts as a router. */
export interface GameProviderRouter extends Middleware {
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
  const handler = handlerOf(readProviderOptions(options, 'createGameProviderRouter'));
  return Object.assign(middlewareOf(handler), { close: handler.close });
}

function handlerOf(settings: GameProviderSettings): GameProviderHandler {
  const background = new Background();
  const callers = new Callers(settings, refusals);
  const routes = [...operationsOf(settings, background)].map(([operation, work]): Route => {
    const endpoint = new ProviderEndpoint(operation, work, callers, settings);
    const { method } = endpoint;
    const methodError = invalid(`The method must be ${method}.`, 405);
    return routeOf(endpoint, { path: `/${operation}`, method }, background, methodError, (err) => {
      settings.logger.error({ operation, err }, 'game provider call failed');
    });
  });
  return mount(routes, refusePath, background);
}

const refusePath = async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { id, clientmsg } = engineErrors.INVALIDPARAMETER;
  const errorCode = { id, msg: 'There is nothing at this path.', clientmsg };
  sendJson(response, { status: 404, text: writeJson({ errorCode }) });
};
