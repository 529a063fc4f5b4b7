import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Lines } from '../../bench/storm/lines';
import { VirtualClock } from '../support/virtual-clock';

let server: Server;
let port: number;
/** Requests that have come, but for the first of each connection. */
let held: ServerResponse[];

beforeEach(async () => {
  held = [];
  server = createServer((request, response) => {
    if (request.url === '/healthz') response.setHeader('content-length', 0).end();
    else server.emit('held', held.push(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});

afterEach(() => server.close().closeAllConnections());

const call = () => Buffer.from('GET /call HTTP/1.1\r\nHost: a\r\n\r\n');

test('while all connections are busy a debit waits for a second and is not sent, and a credit waits on', async () => {
  const clock = new VirtualClock();
  const lines = await Lines.open(port, 1, clock);
  const first = lines.send(call, false);
  await once(server, 'held');
  const debit = lines.send(call, false);
  const credit = lines.send(call, true);
  await clock.pass(999);
  const before = await Promise.race([debit, Promise.resolve('waits')]);
  await clock.pass(1);
  expect([before, await debit]).toEqual(['waits', 'unsent']);
  held[0]?.setHeader('content-length', 0).end();
  expect(await first).toBe(200);
  if (held.length === 1) await once(server, 'held');
  held[1]?.setHeader('content-length', 0).end();
  expect(await credit).toBe(200);
  lines.close();
});

test('every connection has been used before it is waited for', async () => {
  let requests = 0;
  server.on('request', () => (requests += 1));
  const lines = await Lines.open(port, 3, new VirtualClock());
  expect(requests).toBe(3);
  lines.close();
});
