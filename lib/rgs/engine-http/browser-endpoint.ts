import { readTokenQuery, writeConnectReply } from '../../protocol/engine-api';
import { readQuery } from '../../protocol/operator-api';
import { writeJson } from '../../protocol/json';
import type { Endpoint, Success } from '../http';
import type { EngineHandlerSettings } from './options';

/** The unsigned calls of a browser: connect, reconnect, disconnect and status (E5, E22.2). */
export function browserEndpoints(settings: EngineHandlerSettings): readonly Endpoint[] {
  const { browser, version } = settings;
  return [
    withToken('connect', async (token, cause) => ({
      text: writeConnectReply(await browser.connect(token, cause)),
    })),
    withToken('reconnect', async (token) => ({
      text: writeConnectReply(await browser.reconnect(token)),
    })),
    withToken('disconnect', async (token) => {
      await browser.disconnect(token);
      return { text: '{}' };
    }),
    endpoint('status', () => ({ text: writeJson({ status: 'ok', version }) })),
  ];
}

/** A call whose query is a token (E5.2, E5.5). */
function withToken(
  call: string,
  answer: (token: string, cause: number | null) => Promise<Success>,
): Endpoint {
  return endpoint(call, ({ url = '' }, { cause }) => answer(readTokenQuery(readQuery(url)), cause));
}

function endpoint(call: string, answer: Endpoint['answer']): Endpoint {
  return { call, method: 'GET', path: `/${call}`, isForBrowsers: true, answer };
}
