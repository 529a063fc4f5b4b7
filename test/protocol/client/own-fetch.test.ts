import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ownFetch } from '../../../lib/protocol/client/ports';
import { systemClock } from '../../../lib/platform';
import { post, runnerOver } from './rig';
import { listen, stopServer } from '../../network/listening';

const servers: Server[] = [];
const platformFetch = globalThis.fetch;
afterEach(async () => {
  globalThis.fetch = platformFetch;
  for (const server of servers.splice(0)) {
    await stopServer(server);
  }
});

/** A runner without a fetch of its own, and a server that answers it with this text. */
async function callsAt(text: string) {
  const seen: { readonly headers: object; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(200, { 'content-type': 'application/json', 'x-h-error-id': 'ref-1' });
      response.end(text);
    });
  });
  servers.push(server);
  const port = await listen(server);
  const baseUrl = `http://127.0.0.1:${port}/gameapi/v2`;
  const { runner } = runnerOver([], { baseUrl, clock: systemClock, fetch: ownFetch(1000) });
  return { runner, seen };
}

describe('what a client calls with where its options have no fetch', () => {
  test('sends the headers and the bytes that were signed, and hands out the reply as it came', async () => {
    const { runner, seen } = await callsAt('{"a":"Grüße"}');
    const received = await runner.receive(post('{"testData":"Grüße"}'));
    expect(received).toEqual({
      status: 200,
      bytes: Buffer.from('{"a":"Grüße"}'),
      errorReference: 'ref-1',
      contentType: 'application/json',
    });
    expect(seen).toMatchObject([
      {
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'x-h-auth-id': 'studio-1',
          'x-request-id': 'request-1',
        },
        body: '{"testData":"Grüße"}',
      },
    ]);
  });

  test('gives no bytes of a reply that is longer than may be', async () => {
    const { runner } = await callsAt('x'.repeat(1001));
    expect((await runner.receive(post('{}'))).bytes).toBeNull();
  });

  test('is the fetch that a tracer or a test has put in the place of the platform, from then on', async () => {
    const { runner, seen } = await callsAt('{}');
    await runner.receive(post('{}'));
    const traced: string[] = [];
    globalThis.fetch = async (url, init) => {
      traced.push(new Request(url).url);
      return platformFetch(url, init);
    };
    await runner.receive(post('{}'));
    expect([seen.length, traced.length]).toEqual([2, 1]);
    globalThis.fetch = platformFetch;
    await runner.receive(post('{}'));
    expect([seen.length, traced.length]).toEqual([3, 1]);
  });
});
