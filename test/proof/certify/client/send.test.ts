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

/** What a server does with the next request of a connection, by how many came on it before. */
type Turn = (socket: Socket, before: number) => void;

const answered: Turn = (socket) => void socket.write(reply);
const lost: Turn = (socket) => void socket.destroy();

/** A server that counts connections, and keeps the bytes of each request. */
async function serverOf(turn: Turn) {
  const seen = { connections: 0, requests: [] as string[] };
  const serve = (socket: Socket): void => {
    seen.connections += 1;
    let before = 0;
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      seen.requests.push(bytes.toString('latin1'));
      turn(socket, before);
      before += 1;
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
  const close = async (): Promise<void> => {
    server.close();
    await once(server, 'close');
  };
  return { seen, send, close };
}

const counts = ({ connections, requests }: { connections: number; requests: string[] }) => {
  return { connections, requests: requests.length };
};

/** A connection of it carries so many requests: the next one ends it. */
const carrying =
  (most: number): Turn =>
  (socket, before) =>
    before < most ? answered(socket, before) : lost(socket, before);

test('a GET that is lost on a kept connection is sent again on a new one', async () => {
  const { seen, send } = await serverOf(carrying(1));
  expect((await send(get)).reply).toMatchObject({ kind: 'reply', status: 200 });
  expect((await send(get)).reply).toMatchObject({ kind: 'reply', status: 200 });
  expect(counts(seen)).toEqual({ connections: 2, requests: 3 });
});

test('a POST takes a new connection until a reply has come on a kept one', async () => {
  const { seen, send } = await serverOf(carrying(1));
  for (const request of [get, post, post]) {
    expect((await send(request)).reply).toMatchObject({ kind: 'reply', status: 200 });
  }
  expect(counts(seen)).toEqual({ connections: 3, requests: 3 });
});

test('a POST that is lost on a kept connection is sent again, byte for byte but for its connection, and says so', async () => {
  const { seen, send } = await serverOf(carrying(3));
  for (const request of [get, get, post]) {
    const sent = await send(request);
    expect(sent.reply).toMatchObject({ kind: 'reply', status: 200 });
    expect(sent.isSentAgain).toBeUndefined();
  }
  const sent = await send(post);
  expect(sent.reply).toMatchObject({ kind: 'reply', status: 200 });
  expect(sent.isSentAgain).toBe(true);
  expect(seen.connections).toBe(2);
  const [first, again] = seen.requests
    .slice(3)
    .map((text) => text.replace(/^Connection: .*$/m, ''));
  expect(again).toBe(first);
  expect(seen.requests).toHaveLength(5);
});

test('a call that is lost on a new connection as well is lost, and sent no third time', async () => {
  const { seen, send } = await serverOf((socket, before) => {
    const isGet = seen.requests.at(-1)?.startsWith('GET') === true;
    return isGet ? answered(socket, before) : lost(socket, before);
  });
  await send(get);
  await send(get);
  expect((await send(post)).reply).toMatchObject({ kind: 'cut' });
  expect(counts(seen)).toEqual({ connections: 2, requests: 4 });
  // Its connection is new: it was the wallet that ended it.
  expect((await send(post)).reply).toMatchObject({ kind: 'cut' });
  expect(counts(seen)).toEqual({ connections: 3, requests: 5 });
});

test('a call is not sent again once a part of a reply has come', async () => {
  const { seen, send } = await serverOf((socket, before) => {
    if (before < 2) answered(socket, before);
    else socket.end('HTTP/1.1 200 OK\r\nConte');
  });
  await send(get);
  await send(get);
  expect((await send(post)).reply).toMatchObject({ kind: 'cut' });
  expect(counts(seen)).toEqual({ connections: 1, requests: 3 });
});

test('a wallet that ends with the connection is told from one to which there was none', async () => {
  const { send, close } = await serverOf((socket, before) => {
    if (before < 2) return answered(socket, before);
    void close();
    lost(socket, before);
  });
  await send(get);
  await send(get);
  const last = await send(post);
  expect(last).toMatchObject({
    reply: { kind: 'cut', why: expect.stringContaining('socket hang up') },
  });
  expect(last.isUnconnected).toBeUndefined();
  const none = await send(post);
  expect(none).toMatchObject({ isUnconnected: true, reply: { kind: 'cut' } });
});

test('a GET that is lost on a kept connection, with no new one to be had, has not reached the wallet', async () => {
  const { send, close } = await serverOf((socket, before) => {
    if (before < 1) return answered(socket, before);
    void close();
    lost(socket, before);
  });
  await send(get);
  expect(await send(get)).toMatchObject({ isUnconnected: true, reply: { kind: 'cut' } });
});
