import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import express from 'express';
import { createMemoryExchange, type PlainRequest } from '../../../lib/platform/http/memory-server';

const hello: PlainRequest = {
  method: 'POST',
  target: '/echo?a=1',
  rawHeaders: ['Host', 'localhost', 'X-Twice', 'a', 'X-Twice', 'b', 'Content-Type', 'text/plain'],
  body: Buffer.from('Grüße'),
};

describe('a request to a listener in memory', () => {
  test('method, target, headers and body arrive, and status, headers and body come back', async () => {
    const send = createMemoryExchange((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.setHeader('X-Twice', request.headers['x-twice'] ?? '');
        response.writeHead(201, { 'X-Seen': `${request.method} ${request.url}` });
        response.end(Buffer.concat(chunks));
      });
    });
    const reply = await send(hello);
    expect([reply.status, reply.headers['x-seen'], reply.headers['x-twice']]).toEqual([
      201,
      'POST /echo?a=1',
      'a, b',
    ]);
    expect(reply.body.toString()).toBe('Grüße');
  });

  test('an Express application is such a listener', async () => {
    const app = express();
    app.post('/echo', express.text(), (request, response) => {
      response.json({ body: request.body as string, a: request.query['a'] });
    });
    const reply = await createMemoryExchange(app)(hello);
    expect(JSON.parse(reply.body.toString())).toEqual({ body: 'Grüße', a: '1' });
  });

  test('a connection that the listener closes before its reply is whole rejects', async () => {
    const send = createMemoryExchange((request, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('half');
      request.socket.destroy();
    });
    await expect(send(hello)).rejects.toThrow();
  });

  test('the signal ends the wait with its reason, and the listener sees the caller leave', async () => {
    const stop = new AbortController();
    const hasLeft = new EventEmitter();
    const left = once(hasLeft, 'left');
    const send = createMemoryExchange((_, response) => {
      response.on('close', () => hasLeft.emit('left'));
      stop.abort(new Error('enough'));
    });
    await expect(send(hello, stop.signal)).rejects.toThrow('enough');
    await left;
    await expect(send(hello, stop.signal)).rejects.toThrow('enough');
  });

  test('the listener runs in the asynchronous context of its caller', async () => {
    const context = new AsyncLocalStorage<number>();
    const send = createMemoryExchange((request, response) => {
      request.resume().on('end', () => {
        void Promise.resolve().then(() => response.end(String(context.getStore())));
      });
    });
    const replies = await Promise.all([1, 2].map((n) => context.run(n, () => send(hello))));
    expect(replies.map(({ body }) => body.toString())).toEqual(['1', '2']);
  });

  test('a GET without a body has no length, and large bodies arrive whole', async () => {
    const send = createMemoryExchange((request, response) => {
      let length = 0;
      request.on('data', (chunk: Buffer) => {
        length += chunk.byteLength;
      });
      request.on('end', () => {
        response.end(JSON.stringify([request.headers['content-length'] ?? null, length]));
      });
    });
    const text = async (request: PlainRequest) => (await send(request)).body.toString();
    expect(await text({ ...hello, method: 'GET', body: Buffer.alloc(0) })).toBe('[null,0]');
    const large = Buffer.alloc(1_000_000, 'x');
    expect(await text({ ...hello, body: large })).toBe('["1000000",1000000]');
  });
});
