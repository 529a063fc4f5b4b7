import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { Connection } from '../../bench/load/connection';
import { RepeatingProxy } from '../../bench/storm/proxy';
import { listen } from '../network/listening';

const running: { close(): void }[] = [];

afterEach(() => {
  for (const each of running.splice(0)) each.close();
});

/** Answers each request with its name, and keeps the bodies. */
async function startProcess(name: string, closes = false) {
  const bodies: string[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.setHeader('content-length', name.length);
      if (closes) response.setHeader('connection', 'close');
      response.end(name);
    });
  });
  const port = await listen(server);
  running.push({ close: () => server.close().closeAllConnections() });
  return { port: port, bodies, server };
}

async function startProxy(ports: readonly [number, number]) {
  const proxy = new RepeatingProxy(ports);
  const port = await proxy.listen();
  const line = await Connection.open(port);
  running.push(proxy, line);
  return { proxy, line };
}

const post = (body: string) =>
  Buffer.from(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
const get = Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n');

test('every twentieth POST reaches both processes, and each is answered once', async () => {
  const [one, other] = [await startProcess('one'), await startProcess('other')];
  const { proxy, line } = await startProxy([one.port, other.port]);
  const sent = Array.from({ length: 60 }, (_, at) => `call ${at}`);
  const answered: string[] = [];
  for (const body of sent) answered.push((await line.call(post(body))).body);
  expect(proxy.repeated).toBe(3);
  const twice = one.bodies.filter((body) => other.bodies.includes(body));
  expect(twice).toEqual(['call 19', 'call 39', 'call 59']);
  expect(new Set([...one.bodies, ...other.bodies])).toEqual(new Set(sent));
  // A twentieth one would be the turn of the first; what the other one answers is passed on.
  expect(answered.filter((name) => name === 'other')).toHaveLength(33);
});

test('a GET is never sent twice', async () => {
  const [one, other] = [await startProcess('one'), await startProcess('other')];
  const { proxy, line } = await startProxy([one.port, other.port]);
  for (let sent = 0; sent < 40; sent += 1) await line.call(get);
  expect(proxy.repeated).toBe(0);
  expect(one.bodies.length + other.bodies.length).toBe(40);
});

test('a process that closes its connections after each answer is connected to anew', async () => {
  const [one, other] = [await startProcess('one', true), await startProcess('other', true)];
  const { line } = await startProxy([one.port, other.port]);
  for (let sent = 0; sent < 40; sent += 1) {
    expect((await line.call(post('x'))).status).toBe(200);
  }
});

test('the client of a call that no process answers is cut off', async () => {
  const [one, other] = [await startProcess('one'), await startProcess('other')];
  const { line } = await startProxy([one.port, other.port]);
  for (const { server } of [one, other]) server.close();
  await expect(line.call(post('x'))).rejects.toThrow('closed the connection');
});
