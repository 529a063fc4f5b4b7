import { afterEach, expect, test } from '@jest/globals';

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { systemClock } from '../../../../lib/platform';
import { createSender, type WalletRequest } from '../../../../lib/proof/certify/client';
import { Cleanup } from '../../../servers/cleanup';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

const reply = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n{}';
const get: WalletRequest = { method: 'GET', path: '/getBalance', headers: [], body: null };
const post: WalletRequest = {
  method: 'POST',
  path: '/doTransactions',
  headers: [],
  body: Buffer.from('{}'),
};

/** A server of so many requests for each connection: the next one on a connection ends it. Counts both. */
async function serverOf(requestsEach: number) {
  const counted = { requests: 0, connections: 0 };
  const serve = (socket: Socket): void => {
    counted.connections += 1;
    let answered = 0;
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      if (!/^(GET|POST)/.test(bytes.toString('latin1'))) return;
      counted.requests += 1;
      answered += 1;
      if (answered > requestsEach) socket.destroy();
      else socket.write(reply);
    });
  };
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sender = createSender(systemClock);
  cleanup.after(sender, (opened) => {
    opened.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const send = (request: WalletRequest) => sender.send(`http://127.0.0.1:${port}`, request, 20_000);
  return { counted, send };
}

test('a GET that is lost on a kept connection is sent again on a new one', async () => {
  const { counted, send } = await serverOf(1);
  expect((await send(get)).reply).toMatchObject({ kind: 'reply', status: 200 });
  expect((await send(get)).reply).toMatchObject({ kind: 'reply', status: 200 });
  expect(counted).toEqual({ requests: 3, connections: 2 });
});

test('a POST takes a new connection until a reply has come on a kept one', async () => {
  const { counted, send } = await serverOf(1);
  for (const request of [get, post, post]) {
    expect((await send(request)).reply).toMatchObject({ kind: 'reply', status: 200 });
  }
  expect(counted).toEqual({ requests: 3, connections: 3 });
});

test('a POST is sent once, whatever comes of it', async () => {
  const { counted, send } = await serverOf(3);
  for (const request of [get, get, post]) {
    expect((await send(request)).reply).toMatchObject({ kind: 'reply', status: 200 });
  }
  expect((await send(post)).reply).toMatchObject({ kind: 'cut' });
  expect(counted).toEqual({ requests: 4, connections: 1 });
});
