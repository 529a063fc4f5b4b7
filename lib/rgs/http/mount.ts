import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Background,
  hasUnreadBody,
  mount,
  type Mounted,
  type RequestListener,
  type Route,
  routeOf,
} from '../../platform/http';
import { EngineRefusedError } from '../../protocol/engine-api/errors';
import type { Api } from './api';
import { ApiEndpoint, type ApiSteps } from './endpoint';

/** Mounts the calls of an API; every error is answered in the form of E3.1. */
export function mountApi(calls: readonly ApiSteps<unknown>[], api: Api): Mounted {
  const background = new Background();
  const refusal = (status: number) =>
    new EngineRefusedError('INVALIDPARAMETER', api.rules.path, status);
  const route = (steps: ApiSteps<unknown>): Route => {
    const { name, method, path = `/${name}`, isForBrowsers = false } = steps;
    const place = { path: api.settings.basePath + path, method };
    const endpoint = new ApiEndpoint(api, steps);
    const { listener, otherMethod } = routeOf(endpoint, place, background, refusal(405));
    const other: RequestListener = (request, response) =>
      isForBrowsers && request.method === 'OPTIONS'
        ? allowBrowser(request, response)
        : otherMethod(request, response);
    // A HEAD would spend a token for a reply that nobody sees.
    const exact: RequestListener = (request, response) =>
      (request.method === method ? listener : other)(request, response);
    return { ...place, listener: exact, otherMethod: other };
  };
  const nowhere = new ApiEndpoint(api, noCall);
  return mount(
    calls.map(route),
    (request, response) => nowhere.handle(request, response, refusal(404)),
    background,
  );
}

/** What a path that the API does not have is reported as. */
const noCall: ApiSteps<null> = {
  name: null,
  method: 'GET',
  verify: () => {},
  read: () => null,
  answer: async () => '',
};

/** Answers a preflight request of a browser (E5.2). */
function allowBrowser(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET',
    'access-control-allow-headers': '*',
    'access-control-max-age': '600',
    ...(hasUnreadBody(request) ? { connection: 'close' } : {}),
  });
  response.end();
}
