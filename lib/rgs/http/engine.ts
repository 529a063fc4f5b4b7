import type { Mounted } from '../../platform/http';
import { readTokenQuery } from '../../protocol/engine-api/read-request';
import { writeConnectReply } from '../../protocol/engine-api/write-reply';
import { writeJson } from '../../protocol/json/write';
import { readQuery } from '../../protocol/operator-api/read-call';
import { Api } from './api';
import type { ApiSteps } from './endpoint';
import { type EngineService, type EngineSettings, postedCalls, settingsCall } from './engine-call';
import { mountApi } from './mount';
import { type ApiOptions, apiSettings } from './options';

/** Options of {@link createEngineHandler}; the sandbox has checked them. */
export interface EngineHandlerOptions extends ApiOptions {
  readonly service: EngineService;
  /** The game providers that may call, with all their current secrets: several during a rotation (E2.7). */
  readonly providers: readonly {
    readonly gameProviderId: string;
    readonly secrets: readonly string[];
  }[];
  /** Whether X-Request-Id is required; true unless set (E2.5). */
  readonly requireRequestId?: boolean;
  /** What GET /status answers as `version`; `unknown` unless set (E22.2). */
  readonly version?: string;
}

/**
 * The Game Engine API over Node's request and response (game-engine-api 4, E2, E3): every call of a game
 * provider, verified before it is parsed, and the unsigned calls of a browser.
 * @throws TypeError for an id or a secret that is not valid; no secret is repeated.
 */
export function createEngineHandler(options: EngineHandlerOptions): Mounted {
  const { service, requireRequestId = true, version = 'unknown' } = options;
  const callers = options.providers.map(({ gameProviderId: id, secrets }) => ({ id, secrets }));
  const place = { list: 'createSandbox: providers', idName: 'gameProviderId' };
  const settings: EngineSettings = {
    ...apiSettings(options, callers, place),
    service,
    requireRequestId,
  };
  const api = new Api(settings, { caller: 'E2.1', path: 'E1.4', body: 'E2.4' });
  const calls = [
    ...postedCalls(api, settings),
    settingsCall(api, settings),
    ...browserCalls(service, version),
  ];
  return mountApi(calls, api);
}

/** The unsigned calls of a browser: connect, reconnect, disconnect and status (E5, E22.2). */
function browserCalls(service: EngineService, version: string): ApiSteps<string>[] {
  return [
    withToken('connect', async (token, cause) =>
      writeConnectReply(await service.connect(token, cause)),
    ),
    withToken('reconnect', async (token) => writeConnectReply(await service.reconnect(token))),
    withToken('disconnect', async (token) => {
      await service.disconnect(token);
      return '{}';
    }),
    {
      ...unsigned,
      name: 'status',
      read: () => '',
      answer: async () => writeJson({ status: 'ok', version }),
    },
  ];
}

const unsigned = { method: 'GET', isForBrowsers: true, verify: () => {} } as const;

/** A call whose query is a token (E5.2, E5.5). */
function withToken(
  name: string,
  answer: (token: string, cause: number | null) => Promise<string>,
): ApiSteps<string> {
  return {
    ...unsigned,
    name,
    read: ({ request: { url = '' } }) => readTokenQuery(readQuery(url)),
    answer: (_callerId, token, cause) => answer(token, cause),
  };
}
