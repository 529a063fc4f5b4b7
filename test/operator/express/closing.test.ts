import { once } from 'node:events';
import { Agent, type IncomingMessage, request as startRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import express from 'express';
import express4 from 'express4';
import { createOperatorRouter } from '../../../lib/operator/express/router';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createRequestSigner } from '../../../lib/proof';
import { bodyOf, debit, operatorId, playerId, secret } from '../http/rig';

const signer = createRequestSigner({ operatorId, secret });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

afterEach(() => agent.destroy());

/** Sends a getBalance on the one connection, and resolves once all of its reply is here. */
async function getBalance(port: number): Promise<IncomingMessage> {
  const { headers, path } = signer.getBalance({ playerId, currency: 'EUR' });
  const [response] = (await once(
    startRequest({ port, path, headers, agent }).end(),
    'response',
  )) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

const frameworks: readonly (readonly [string, typeof express])[] = [
  ['Express 5', express],
  ['Express 4', express4],
];

test.each(frameworks)(
  'in %s a caller that never pauses does not keep the server from closing',
  async (_, framework) => {
    const store = createMemoryStore();
    await store.players.openPlayer({
      operatorId,
      playerId,
      currency: 'EUR',
      balances: { real: '1' },
    });
    const [arrival, release] = [new AbortController(), new AbortController()];
    const arrived = once(arrival.signal, 'abort');
    const released = once(release.signal, 'abort');
    const router = createOperatorRouter({
      store,
      operators: [{ operatorId, secrets: [secret] }],
      session: async () => {
        arrival.abort();
        await released;
      },
    });
    const server = framework().use(router).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const first = getBalance(port);
    await arrived;
    const isClosed = new Promise((resolve) => server.close(resolve));
    const closing = router.close();
    const second = getBalance(port); // waits for the connection
    release.abort();
    expect((await first).statusCode).toBe(200);
    await closing;
    const last = await second;
    expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
    await isClosed;
  },
);

test.each(frameworks)(
  'in %s a caller that goes while a middleware waits does not keep the router from closing',
  async (_, framework) => {
    const router = createOperatorRouter({
      store: createMemoryStore(),
      operators: [{ operatorId, secrets: [secret] }],
    });
    const app = framework();
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { headers, path, body } = signer.doTransactions(bodyOf([debit()]));
    const sent = startRequest({ port, path, method: 'POST', headers, agent: false });
    sent.on('error', () => undefined); // it is destroyed below
    const passedOn = new Promise<void>((resolve) => {
      app.use((request, _response, next) => {
        request.once('close', () => resolve(next()));
        sent.destroy();
      }, router);
    });
    sent.write(body?.slice(0, 20));
    await passedOn;
    await router.close();
    server.close();
    await once(server, 'close');
  },
);
