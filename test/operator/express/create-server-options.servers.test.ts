import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { IncomingMessage, ServerResponse } from 'node:http';
import { get, Server as HttpsServer } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Express } from 'express';
import { createServer, type ServerOptions } from '../../../lib/operator/express/create-server';
import { temporaryFolder } from '../../servers/reaper';
import { frameworks, portOf, rawAnswer, requestOf } from './express-server';
import { stopServer } from '../../network/listening';
import { cleanupAfterEach } from '../../support/each-test';

const cleanup = cleanupAfterEach();
let tls: { readonly key: string; readonly cert: string };

beforeAll(async () => {
  const folder = await temporaryFolder('tls');
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = '-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1';
  const command = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ${key} -out ${cert} -days 2 ${subject}`;
  await promisify(execFile)('openssl', command.split(' '));
  tls = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
});

/** Starts the app's server; resolves to its port. */
function start(app: Express, options: ServerOptions): Promise<number> {
  const server = createServer(app, options).listen(0, '127.0.0.1');
  return portOf(cleanup.after(server, stopServer));
}

/** What an https server answers that is trusted by its certificate. */
async function askSecurely(port: number, path: string): Promise<unknown> {
  const request = get({ host: '127.0.0.1', port, path, ca: tls.cert, agent: false });
  const [response] = (await once(request, 'response')) as [AsyncIterable<Buffer>];
  let text = '';
  for await (const chunk of response) text += chunk.toString();
  return JSON.parse(text);
}

describe.each(frameworks)('%s', (_, framework) => {
  test("Node's options are those of the server", async () => {
    const server = createServer(framework(), { keepAliveTimeout: 1234 });
    expect([server.keepAliveTimeout, server instanceof HttpsServer]).toEqual([1234, false]);
    const port = await start(framework(), { maxHeaderSize: 512 });
    const large = requestOf('GET /', { 'X-Large': 'x'.repeat(600) });
    expect(await rawAnswer(port, large)).toContain('431 Request Header Fields Too Large');
  });

  test('with tls it is an https server, fast in the same way, with the other options too', async () => {
    const app = framework();
    app.get('/', (request, response) => {
      const { secure, protocol } = request;
      response.json({ secure, protocol, ip: request.ip });
    });
    const server = createServer(app, { tls, keepAliveTimeout: 1234 });
    const born: boolean[] = [];
    server.prependListener('request', (request, response) => {
      born.push(Object.getPrototypeOf(request) === app.request);
      born.push(Object.getPrototypeOf(response) === app.response);
    });
    expect([server.keepAliveTimeout, server instanceof HttpsServer]).toEqual([1234, true]);
    const port = await portOf(cleanup.after(server.listen(0, '127.0.0.1'), stopServer));
    const told = { secure: true, protocol: 'https', ip: '127.0.0.1' };
    expect(await askSecurely(port, '/')).toEqual(told);
    expect(born).toEqual([true, true]);
  });

  test('options that are wrong are a TypeError that names them, not a server that is not secure', () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ IncomingMessage }, 'IncomingMessage cannot be set; extend app.request'],
      [{ ServerResponse: undefined }, 'ServerResponse cannot be set; extend app.request'],
      [{ tls: { ...tls, ServerResponse } }, 'ServerResponse cannot be set'],
      [{ tls: true }, 'tls must be an object, such as { key, cert }'],
      [{ tls: null }, 'tls must be an object'],
      [tls, 'key belongs in tls'],
      [{ cert: tls.cert }, 'cert belongs in tls'],
      [{ pfx: Buffer.of(1) }, 'pfx belongs in tls'],
      [{ SNICallback: () => {} }, 'SNICallback belongs in tls'],
    ];
    for (const [options, message] of wrong) {
      const make = () => createServer(framework(), options as ServerOptions);
      expect(make).toThrow(TypeError);
      expect(make).toThrow(`createServer: ${message}`);
    }
  });
});
