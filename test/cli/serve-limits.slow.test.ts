import { once } from 'node:events';
import { connect } from 'node:net';

import { expect, test } from '@jest/globals';

import { debitCall, startService } from './cli';

/** Sends the beginning of a request, and resolves to what came back until the connection was closed. */
async function repliesTo(port: number, beginning: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let reply = '';
  socket.on('data', (bytes) => {
    reply += bytes.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.write(beginning);
  await once(socket, 'close');
  return reply;
}

test('a request that never comes whole does not keep its connection: headers 10 s, the whole 30 s', async () => {
  const service = await startService();
  const { headers } = debitCall('ann', 'r-1');
  const lines = Object.entries({ ...headers, Host: 'wallet', 'Content-Length': 100 });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const startedAt = Date.now();
  const after = async (beginning: string) => {
    const reply = await repliesTo(service.port, beginning);
    return { reply: reply.split('\r\n', 1)[0], seconds: (Date.now() - startedAt) / 1000 };
  };
  const [headless, bodiless] = await Promise.all([
    after('GET /healthz HTTP/1.1\r\nHost: wallet\r\n'),
    after(`POST /doTransactions HTTP/1.1\r\n${head}\r\n{`),
  ]);
  expect(headless.reply).toBe('HTTP/1.1 400 Bad Request');
  expect(headless.seconds).toBeGreaterThan(9);
  expect(headless.seconds).toBeLessThan(55); // of Node’s own limits this one is 60
  // Its call has begun, so a 400 would look like its answer: the connection ends.
  expect(bodiless.reply).toBe('');
  expect(bodiless.seconds).toBeGreaterThan(29);
  expect(bodiless.seconds).toBeLessThan(250); // and this one 300
  expect(await service.stop()).toBe(0);
});
