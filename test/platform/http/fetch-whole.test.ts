import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { PlainRequest } from '../../../lib/platform/http';
import { fetchWhole } from '../../../lib/platform/http/fetch-whole';
import { listen, stopServer } from '../../network/listening';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    await stopServer(server);
  }
});

/** A server, its address, and the requests and connections that have come to it. */
async function serve(listener: RequestListener) {
  const server = createServer();
  servers.push(server);
  const sockets = new Set<Socket>();
  const texts: string[] = [];
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      texts.push(Buffer.concat(chunks).toString());
      listener(request, response);
    });
  });
  const port = await listen(server);
  const url = `http://127.0.0.1:${port}/call?a=1`;
  return { url, sockets, texts, server };
}

const order: PlainRequest = {
  method: 'POST',
  target: '/',
  rawHeaders: ['host', 'elsewhere.test', 'content-type', 'application/json', 'x-a', 'b'],
  body: Buffer.from('{"a":"Grüße"}'),
};
const never = new AbortController().signal;

describe('a request that is sent once', () => {
  test('method, path, headers and body arrive, the Host of the address too, and the reply comes back', async () => {
    const { url, texts } = await serve((request, response) => {
      const { method, headers, url: target } = request;
      response.setHeader('set-cookie', ['a', 'b']);
      response.statusCode = 201;
      response.end(JSON.stringify([method, target, headers.host, headers['x-a']]));
    });
    const { status, headers, body } = await fetchWhole(url, order, never);
    expect([status, headers['set-cookie'], texts]).toEqual([201, 'a, b', ['{"a":"Grüße"}']]);
    expect(JSON.parse(body.toString())).toEqual(['POST', '/call?a=1', new URL(url).host, 'b']);
  });

  test('a connection is used again', async () => {
    const { url, sockets, texts } = await serve((_, response) => response.end('ok'));
    for (let nth = 0; nth < 3; nth++) await fetchWhole(url, order, never);
    expect([sockets.size, texts.length]).toEqual([1, 3]);
  });

  test('a redirect is a reply, and is not followed', async () => {
    const { url, texts } = await serve((_, response) => {
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect((await fetchWhole(url, order, never)).status).toBe(307);
    expect(texts).toHaveLength(1);
  });

  test.each([
    ['before a byte of the reply', ''],
    ['after half of the reply', 'half'],
  ])(
    'a connection that breaks %s fails the call, which is not sent again, on a used connection either',
    async (_, half) => {
      let mayReply = true;
      const { url, texts } = await serve((request, response) => {
        if (mayReply) return void response.end('ok');
        response.setHeader('content-length', 10);
        if (half === '') return void request.socket.destroy();
        response.write(half, () => request.socket.destroy());
      });
      await fetchWhole(url, order, never);
      mayReply = false;
      await expect(fetchWhole(url, order, never)).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect(texts).toHaveLength(2);
    },
  );

  test('a connection that the server closed while it waited is not used', async () => {
    const { url, sockets, texts } = await serve((_, response) => response.end('ok'));
    await fetchWhole(url, order, never);
    const [first] = sockets;
    first?.end();
    if (first !== undefined) await once(first, 'close');
    expect((await fetchWhole(url, order, never)).status).toBe(200);
    expect([sockets.size, texts.length]).toEqual([2, 2]);
  });

  test('the signal ends the wait with its reason, before the request, in it and in the reply', async () => {
    const reason = new Error('enough');
    const { url, texts } = await serve((_, response) => {
      if (texts.length > 1) response.write('half');
      setImmediate(() => stop.abort(reason));
    });
    let stop = new AbortController();
    stop.abort(reason);
    await expect(fetchWhole(url, order, stop.signal)).rejects.toBe(reason);
    expect(texts).toEqual([]);
    for (let nth = 0; nth < 2; nth++) {
      stop = new AbortController();
      await expect(fetchWhole(url, order, stop.signal)).rejects.toBe(reason);
    }
    expect(texts).toHaveLength(2);
  });

  test('a reply without an end is cut off at 1 MiB', async () => {
    const { url } = await serve((_, response) => {
      const fill = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      };
      response.on('drain', fill);
      fill();
    });
    const { body } = await fetchWhole(url, order, never);
    expect(body.byteLength).toBeGreaterThan(1024 * 1024);
    expect(body.byteLength).toBeLessThan(2 * 1024 * 1024);
  });

  test('a reply is cut off at the limit that its caller sets, packed or not, and what follows is not read', async () => {
    const long = Buffer.alloc(500_000, 'x');
    let isPacked = false;
    const { url } = await serve((_, response) => {
      if (isPacked) response.setHeader('content-encoding', 'gzip');
      response.end(isPacked ? gzipSync(long) : long);
    });
    for (isPacked of [false, true]) {
      const { body } = await fetchWhole(url, order, never, 1000);
      expect(body.byteLength).toBeGreaterThan(1000);
      expect(body.byteLength).toBeLessThan(200_000);
      expect((await fetchWhole(url, order, never, 500_000)).body.equals(long)).toBe(true);
    }
  });

  test('an empty body is empty however it says that it is packed; one that is cut short fails', async () => {
    let packed = Buffer.alloc(0);
    const { url } = await serve((_, response) => {
      response.setHeader('content-encoding', 'gzip').end(packed);
    });
    expect((await fetchWhole(url, order, never)).body.byteLength).toBe(0);
    packed = gzipSync('{"a":1}').subarray(0, 15);
    await expect(fetchWhole(url, order, never)).rejects.toMatchObject({ code: 'Z_BUF_ERROR' });
  });

  test('a body that was compressed unasked is unpacked', async () => {
    const { url } = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      response.setHeader('content-encoding', 'gzip').end(gzipSync('{"a":1}'));
    });
    expect((await fetchWhole(url, order, never)).body.toString()).toBe('{"a":1}');
  });

  test('nobody at the address, and a header that cannot be sent, reject', async () => {
    const { url, server } = await serve(() => {});
    server.close();
    await expect(fetchWhole(url, order, never)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const wrong = { ...order, rawHeaders: ['x-a', 'b\nc'] };
    await expect(fetchWhole(url, wrong, never)).rejects.toThrow('Invalid character');
  });
});
