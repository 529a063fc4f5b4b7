import { afterEach, expect, test } from '@jest/globals';

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { systemClock } from '../../../../lib/platform';
import { VirtualClock } from '../../../../lib/platform/virtual-clock';
import { createSender, Gate, type WalletRequest } from '../../../../lib/proof/certify/client';
import { Cleanup } from '../../../servers/cleanup';
import { freePort } from '../../../servers/ports';
import { until } from '../../../servers/until';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

const reply = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
const get: WalletRequest = { method: 'GET', path: '/getBalance', headers: [], body: null };
const post: WalletRequest = {
  method: 'POST',
  path: '/doTransactions',
  headers: [],
  body: Buffer.from('{"a":1}'),
};

/** A server that counts bodies, and answers each at once; `head` is a promise of the first headers. */
async function serverOf() {
  const seen = { bodies: 0 };
  let headCame: () => void;
  const head = new Promise<void>((resolve) => {
    headCame = resolve;
  });
  const server = createServer((socket) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      if (text.endsWith('{"a":1}')) {
        seen.bodies += 1;
        socket.end(reply);
      }
      if (text.includes('\r\n\r\n')) headCame();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.after(server, (opened) => void opened.close());
  return { seen, head, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('of calls at once, none sends its body before the last one has a connection', async () => {
  const { seen, head, url } = await serverOf();
  const sender = createSender(systemClock);
  const gate = new Gate(systemClock, 100);
  const send = () => sender.send(url, post, 20_000, gate);
  const most = Array.from({ length: 99 }, send);
  await head;
  expect(seen.bodies).toBe(0);
  for (const { reply: got } of await Promise.all([...most, send()])) {
    expect(got).toMatchObject({ kind: 'reply', status: 200 });
  }
  expect(seen.bodies).toBe(100);
  expect(gate.spreadMs).toBeLessThan(Infinity);
  sender.close();
});

test('calls do not wait for one that cannot connect', async () => {
  const { url } = await serverOf();
  const sender = createSender(systemClock);
  const gate = new Gate(systemClock, 2);
  const lost = sender.send(`http://127.0.0.1:${await freePort()}`, post, 20_000, gate);
  const answered = sender.send(url, post, 20_000, gate);
  expect((await lost).reply.kind).toBe('cut');
  expect((await answered).reply).toMatchObject({ kind: 'reply', status: 200 });
  sender.close();
});

test('a call whose kept connection is lost while it waits takes its place again on a new one', async () => {
  const gets = 20;
  const heads: Socket[] = [];
  let bodies = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1');
      if (text.startsWith('POST')) heads.push(socket);
      if (text.endsWith('{"a":1}')) bodies += 1;
      if (text.startsWith('GET') || text.endsWith('{"a":1}')) socket.write(reply);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sender = createSender(systemClock);
  cleanup.after(server, (opened) => {
    sender.close();
    opened.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await sender.send(url, get, 20_000);
  await Promise.all(Array.from({ length: gets }, () => sender.send(url, get, 20_000)));
  const gate = new Gate(systemClock, gets + 1);
  const most = Array.from({ length: gets }, () => sender.send(url, post, 20_000, gate));
  await until('each call to begin', () => heads.length === gets);
  // As an idle connection may be: closed just when a call begins on it.
  for (const socket of heads.splice(0, 5)) socket.destroy();
  await until('the lost ones to begin again', () => heads.length === gets);
  expect(bodies).toBe(0);
  const all = await Promise.all([...most, sender.send(url, post, 20_000, gate)]);
  for (const { reply: got } of all) expect(got).toMatchObject({ kind: 'reply', status: 200 });
  expect(all.filter(({ isSentAgain }) => isSentAgain)).toHaveLength(5);
  expect(bodies).toBe(gets + 1);
  expect(gate.spreadMs).toBeLessThan(Infinity);
});

test('a call that goes behind the others, on a new connection, is part of the spread', async () => {
  const clock = new VirtualClock();
  const gate = new Gate(clock, 1);
  gate.ready(() => undefined);
  expect(gate.spreadMs).toBe(0);
  await clock.pass(30);
  gate.ready(() => undefined);
  expect(gate.spreadMs).toBe(30);
});

test('a gate waits no longer than 5 seconds for a call, and tells that it came too late', async () => {
  const clock = new VirtualClock();
  const gate = new Gate(clock, 2);
  const gone: string[] = [];
  gate.ready(() => gone.push('first'));
  expect(gone).toEqual([]);
  await clock.pass(5000);
  expect(gone).toEqual(['first']);
  gate.ready(() => gone.push('second'));
  expect(gone).toEqual(['first', 'second']);
  expect(gate.spreadMs).toBe(Infinity);
});
