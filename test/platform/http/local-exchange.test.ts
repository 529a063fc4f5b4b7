import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { readBody, type RequestListener, sendJson } from '../../../lib/platform/http';
import { createLocalExchange } from '../../../lib/platform/http/local-exchange';
import { createMemoryExchange, type PlainRequest } from '../../../lib/platform/http/memory-server';
import { nextTurn } from '../../../lib/platform/turn';

const order: PlainRequest = {
  method: 'POST',
  target: '/addWin?a=1',
  rawHeaders: [
    'Host',
    'rgs.test',
    'Content-Type',
    'application/json',
    'X-Twice',
    'a',
    'x-twice',
    'b',
  ],
  body: Buffer.from('{"a":"Grüße"}'),
};

/** Says in its reply all that it is told. */
const mirror: RequestListener = (request, response) => {
  const { method, url, headers } = request;
  response.setHeader('X-Twice', ['a', 'b']);
  void Promise.resolve(readBody(request, 1000)).then((body) => {
    const text = Buffer.from(body).toString();
    sendJson(response, { status: 201, text: JSON.stringify({ method, url, headers, text }) });
  });
};

/** What node adds to a reply and takes from a request, because a connection needs it. */
function withoutConnection(text: string): unknown {
  const { headers, ...rest } = JSON.parse(text) as { headers: Record<string, string> };
  const { connection: _, ...kept } = headers;
  return { headers: kept, ...rest };
}

/** Headers as they stand in `rawHeaders`. */
function named(text: string): string[] {
  return text.split(', ').flatMap((header) => header.split(': '));
}

/** Over a connection a reply has a length in any case. */
function lengthless({ 'content-length': _length, ...rest }: Readonly<Record<string, string>>) {
  return rest;
}

describe('an exchange with a listener of our own', () => {
  test.each<[string, Partial<PlainRequest>]>([
    ['a POST', {}],
    ['a body that is empty', { body: Buffer.alloc(0) }],
    ['a GET', { method: 'GET', body: Buffer.alloc(0) }],
    ['a HEAD', { method: 'HEAD', body: Buffer.alloc(0) }],
    [
      'headers that come twice',
      {
        rawHeaders: named(
          'Host: a, content-type: application/json, Content-Type: text/plain, Cookie: a=1, cookie: b=2, ' +
            'Set-Cookie: c, set-cookie: d, X-H-AUTH-ID: x, X-H-Auth-Id: y, X-H-Auth-Id: z',
        ),
      },
    ],
    [
      'headers of the connection that it came on',
      {
        rawHeaders: named(
          'Host: a, Content-Type: application/json, Connection: x, Keep-Alive: 5, Content-Length: 99, ' +
            'Transfer-Encoding: chunked, constructor: c',
        ),
      },
    ],
  ])('%s is told and answered as over real HTTP', async (_, change) => {
    const request = { ...order, ...change };
    const real = await createMemoryExchange(mirror)(request);
    const local = await createLocalExchange(mirror)(request);
    expect(local.status).toBe(real.status);
    const { date: _date, connection: _connection, ...headers } = real.headers;
    expect(lengthless(local.headers)).toEqual(lengthless(headers));
    if (request.method === 'HEAD')
      return expect([local, real].map(({ body }) => body.length)).toEqual([0, 0]);
    expect(withoutConnection(local.body.toString())).toEqual(
      withoutConnection(real.body.toString()),
    );
  });

  test('a body that is read as a stream, and a reply that is written in pieces, arrive whole', async () => {
    const send = createLocalExchange((request, response) => {
      request.on('data', (chunk: Buffer) => response.write(chunk));
      request.on('end', () => response.end('!'));
    });
    const { status, body } = await send(order);
    expect([status, body.toString()]).toEqual([200, '{"a":"Grüße"}!']);
  });

  test('headers given to writeHead join the others and count as sent, and a 204 has no body', async () => {
    const send = createLocalExchange((_, response) => {
      const before = response.headersSent;
      response.writeHead(204, { 'x-a': 1 });
      expect([before, response.headersSent]).toEqual([false, true]);
      response.end('none');
    });
    const reply = await send(order);
    expect([reply.status, reply.headers, reply.body.length]).toEqual([204, { 'x-a': '1' }, 0]);
  });

  test('a response that the listener destroys before its end rejects', async () => {
    const send = createLocalExchange((_, response) => void response.destroy());
    await expect(send(order)).rejects.toThrow('closed');
  });

  test('a listener that throws rejects', async () => {
    const send = createLocalExchange(() => {
      throw new Error('a bug');
    });
    await expect(send(order)).rejects.toThrow('a bug');
  });

  test('the signal ends the wait with its reason; the listener sees the caller leave, and its late reply is dropped', async () => {
    const stop = new AbortController();
    let left: Promise<unknown> = Promise.resolve();
    const send = createLocalExchange((_, response) => {
      left = once(response, 'close').then(() => sendJson(response, { status: 200, text: '{}' }));
      stop.abort(new Error('enough'));
    });
    await expect(send(order, stop.signal)).rejects.toThrow('enough');
    await left;
    await expect(send(order, stop.signal)).rejects.toThrow('enough');
  });

  test('a response says when it is over: after its reply', async () => {
    const events: string[] = [];
    const send = createLocalExchange((_, response) => {
      response.once('finish', () => events.push('finish'));
      sendJson(response, { status: 200, text: '{}' });
    });
    await send(order).then(() => events.push('reply'));
    await nextTurn();
    expect(events).toEqual(['reply', 'finish']);
  });

  test('the listener runs in the asynchronous context of its caller', async () => {
    const context = new AsyncLocalStorage<number>();
    const send = createLocalExchange((request, response) => {
      request.resume().on('end', () => response.end(String(context.getStore())));
    });
    const replies = await Promise.all([1, 2].map((n) => context.run(n, () => send(order))));
    expect(replies.map(({ body }) => body.toString())).toEqual(['1', '2']);
  });
});
