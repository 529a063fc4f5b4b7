import { readTokenQuery, writeConnectReply } from '../../protocol/engine-api';
import { writeJson } from '../../protocol/json';
import { readQuery } from '../../protocol/operator-api';
import type { ApiSteps } from '../http/endpoint';
import type { EngineHandlerSettings } from './options';

/** The unsigned calls of a browser: connect, reconnect, disconnect and status (E5, E22.2). */
export function browserCalls({ browser, version }: EngineHandlerSettings): ApiSteps<string>[] {
  return [
    withToken('connect', async (token, cause) =>
      writeConnectReply(await browser.connect(token, cause)),
    ),
    withToken('reconnect', async (token) => writeConnectReply(await browser.reconnect(token))),
    withToken('disconnect', async (token) => {
      await browser.disconnect(token);
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
