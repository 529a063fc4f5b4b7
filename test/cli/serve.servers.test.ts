import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { type IncomingMessage, request as startRequest } from 'node:http';
import { connect } from 'node:net';

import { afterEach, describe, expect, test } from '@jest/globals';

import { freePort } from '../servers/ports';
import { until } from '../servers/until';
import {
  debitCall,
  type Environment,
  MAIN,
  OPERATOR,
  OPERATOR_ID,
  SECRET,
  type Service,
  signer,
  signerFor,
  start,
  startService,
  temporaryFile,
} from './cli';

const ANN = [{ playerId: 'ann', currency: 'EUR', balances: { real: '100.50' } }];
const PLAYERS = () => temporaryFile('players.json', ANN);

const services: Service[] = [];

/** A service that is stopped after the test. */
async function serve(args: readonly string[] = [], env?: Environment): Promise<Service> {
  const service = await startService(args, env);
  services.push(service);
  return service;
}

afterEach(async () => {
  for (const service of services.splice(0)) expect(await service.stop()).toBe(0);
});

/** Sends bytes as they are, and resolves to what came back until the connection was closed. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let reply = '';
  socket.on('data', (bytes) => {
    reply += bytes.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return reply;
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}

describe('the log', () => {
  test('that nobody reads any more does not stop the wallet', async () => {
    const service = await serve(['--players', await PLAYERS()]);
    service.stopReading();
    for (const round of ['r1', 'r2', 'r3']) {
      expect((await service.call(debitCall('ann', round))).status).toBe(200);
    }
  });

  // Linux alone has a file that is always full.
  const platforms = existsSync('/dev/full') ? ['/dev/full'] : [];
  test.each(platforms)('that cannot be written to %s does not stop the wallet', async (file) => {
    const [port, full] = [String(await freePort()), openSync(file, 'w')];
    const child = start(['serve', '--port', port], OPERATOR, MAIN, full);
    closeSync(full);
    const exit = once(child, 'exit');
    const isReady = async () => (await statusOf(`http://127.0.0.1:${port}/readyz`)) === 200;
    await until('the service', () => isReady().catch(() => false));
    expect(await statusOf(`http://127.0.0.1:${port}/getBalance`)).toBe(401);
    expect(await isReady()).toBe(true);
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });

  test('begins with the line that tells where the service listens and on which store', async () => {
    const { lines, port } = await serve();
    expect(port).toBeGreaterThan(0);
    expect(lines[0]).toMatchObject({
      level: 30,
      msg: 'listening',
      port,
      host: '127.0.0.1',
      url: `http://127.0.0.1:${port}`,
      store: 'memory',
      storeAddress: 'memory:',
    });
  });

  test('warns that the memory store forgets all money', async () => {
    const { level } = await (await serve()).line('the memory store forgets all money');
    expect(level).toBe(40);
  });

  test('has a line for each call, and never the secret', async () => {
    const service = await serve(['--players', await PLAYERS(), '--log-level', 'trace']);
    await service.call(debitCall('ann', 'r-1'));
    await service.call(debitCall('ann', 'r-2', { by: signerFor('not-the-secret-of-it') }));
    await service.call(
      signer.doTransactions({
        playerId: SECRET,
        gameCode: SECRET,
        gameRound: 'r',
        transactions: [],
      }),
    );
    await service.line('call answered');
    await service.line('call refused');
    await service.stop();
    expect(service.output()).not.toContain(SECRET);
  });

  test.each<[string[], Record<string, string>]>([
    [['--log-level', 'warn'], {}],
    [[], { LOG_LEVEL: 'warn' }],
  ])('leaves out what is below its level: %j %j', async (args, env) => {
    const port = String(await freePort());
    const service = await serve(['--port', port, ...args], { ...OPERATOR, ...env });
    expect(service.lines[0]).toMatchObject({ level: 40 });
    expect(await statusOf(`http://127.0.0.1:${port}/healthz`)).toBe(200);
  });
});

describe('calls', () => {
  test('are answered under /doTransactions and /getBalance', async () => {
    const service = await serve(['--players', await PLAYERS()]);
    expect(await service.call(debitCall('ann', 'r-1'))).toMatchObject({
      status: 200,
      text: '{"balances":[{"type":"real","amount":90.5,"currency":"EUR"}],"hashesProcessed":[{"hash":"r-1"}]}',
    });
    expect(
      await service.call(signer.getBalance({ playerId: 'ann', currency: 'EUR' })),
    ).toMatchObject({
      status: 200,
      text: '{"balances":[{"type":"real","amount":90.5,"currency":"EUR"}]}',
    });
    expect(await statusOf(`${service.url}/doTransactions`)).toBe(405);
    expect(await statusOf(`${service.url}/`)).toBe(404);
  });

  test('are answered behind the base path, and only there', async () => {
    const service = await serve(['--players', await PLAYERS(), '--base-path', '/rgs/wallet']);
    expect(service.url).toBe(`http://127.0.0.1:${service.port}/rgs/wallet`);
    expect(await service.call(debitCall('ann', 'r-1'))).toMatchObject({ status: 200 });
    const root = `http://127.0.0.1:${service.port}`;
    expect(await statusOf(`${root}/getBalance`)).toBe(404);
    expect(await statusOf(`${root}/rgs/walletgetBalance`)).toBe(404);
    expect(await statusOf(`${root}/rgs/wallet/getBalance`)).toBe(401);
    expect(await statusOf(`${root}/healthz`)).toBe(200);
  });

  test('are answered behind the base path where the target is a whole address (RFC 9112, 3.2.2)', async () => {
    const service = await serve(['--players', await PLAYERS(), '--base-path', '/rgs/wallet']);
    const { path, headers } = signer.getBalance({ playerId: 'ann', currency: 'EUR' });
    const asked = startRequest({
      port: service.port,
      path: service.url + path,
      headers,
      agent: false,
    });
    const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(200);
  });

  test('are taken with any secret of any operator of the credentials', async () => {
    const credentials = await temporaryFile('credentials.json', [
      { operatorId: OPERATOR_ID, secrets: ['the-secret-of-last-year', SECRET] },
      { operatorId: 'other', secrets: ['another-one-of-these'] },
    ]);
    const service = await serve(['--players', await PLAYERS()], { CREDENTIALS_FILE: credentials });
    const statuses = [
      signer,
      signerFor('the-secret-of-last-year'),
      signerFor('another-one-of-these', 'other'),
      signerFor('another-one-of-these'),
    ].map(async (by, at) => (await service.call(debitCall('ann', `r-${at}`, { by }))).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 401]);
  });

  test('may be as old as the clock tolerance, and not older', async () => {
    const anHourAgo = signerFor(SECRET, OPERATOR_ID, 3_600_000);
    const call = () => anHourAgo.getBalance({ playerId: 'ann', currency: 'EUR' });
    const players = await PLAYERS();
    const strict = await serve(['--players', players]);
    expect(await strict.call(call())).toMatchObject({ status: 401 });
    const lenient = await serve(['--players', players, '--clock-tolerance', '3660']);
    expect(await lenient.call(call())).toMatchObject({ status: 200 });
  });

  test('are refused with more decimals than the store keeps', async () => {
    const service = await serve(['--players', await PLAYERS(), '--decimals', '2']);
    const call = (amount: number) => service.call(debitCall('ann', `r-${amount}`, { amount }));
    expect(await call(0.01)).toMatchObject({ status: 200 });
    expect(await call(0.001)).toMatchObject({ status: 400 });
  });
});

describe('players of the file', () => {
  test('are opened for every operator, their balances decimal texts or whole numbers', async () => {
    const players = await temporaryFile('players.json', [
      { playerId: 'ann', currency: 'EUR', balances: { real: '0.0001', bonus: 25 } },
      { playerId: 'ann', currency: 'SEK', balances: { real: 9007199254 } },
    ]);
    const credentials = await temporaryFile('credentials.json', [
      { operatorId: 'one', secrets: [SECRET] },
      { operatorId: 'two', secrets: [SECRET] },
    ]);
    const env = { PLAYERS_FILE: players };
    const service = await serve(['--credentials', credentials], env);
    expect(await service.line('players opened')).toMatchObject({ opened: 4, existed: 0 });
    for (const operatorId of ['one', 'two']) {
      const by = signerFor(SECRET, operatorId);
      const balance = async (currency: string) =>
        (await service.call(by.getBalance({ playerId: 'ann', currency }))).text;
      expect(await balance('EUR')).toBe(
        '{"balances":[{"type":"real","amount":0.0001,"currency":"EUR"},{"type":"bonus","amount":25,"currency":"EUR"}],"useBonusFirst":true}',
      );
      expect(await balance('SEK')).toContain('"amount":9007199254,');
    }
  });
});

describe('probes', () => {
  test('are answered alive and ready, without a signature', async () => {
    const { port } = await serve();
    for (const [path, text] of [
      ['healthz', '{"status":"alive"}'],
      ['readyz', '{"status":"ready"}'],
    ]) {
      const answer = await fetch(`http://127.0.0.1:${port}/${path}`);
      expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text });
    }
  });
});

describe('what is no HTTP', () => {
  test('gets a plain 400, and the service goes on', async () => {
    const { port } = await serve();
    expect(await exchange(port, 'GET\r\n\r\n')).toBe(
      'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    );
    const large = `GET / HTTP/1.1\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await exchange(port, large)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await statusOf(`http://127.0.0.1:${port}/healthz`)).toBe(200);
  });
});

describe('variables', () => {
  test('stand for flags, and a flag goes before its variable', async () => {
    const port = await freePort();
    const { lines } = await serve(['--port', String(port)], {
      ...OPERATOR,
      PORT: '1',
      HOST: 'localhost',
      WALLET_STORE: 'memory:',
    });
    expect(lines[0]).toMatchObject({ port, host: 'localhost', url: `http://localhost:${port}` });
  });

  test('that are empty count as not set', async () => {
    const empty = {
      HOST: '',
      LOG_LEVEL: '',
      CREDENTIALS_FILE: '',
      CREDIT_TO: '',
      MAX_IN_FLIGHT: '',
    };
    const { lines } = await serve([], { ...OPERATOR, ...empty });
    expect(lines[0]).toMatchObject({ host: '127.0.0.1', store: 'memory' });
  });
});

describe('an exception that nobody catches', () => {
  test.each([
    ['thrown', `throw new Error('broken')`],
    ['rejected', `Promise.reject(new Error('broken'))`],
  ])('is logged when it is %s, and ends the service with 1', async (_, statement) => {
    const breaking = await temporaryFile(
      'break.js',
      `process.on('SIGUSR2', () => { ${statement} })`,
    );
    const service = await startService([], { ...OPERATOR, NODE_OPTIONS: `--require ${breaking}` });
    service.signal('SIGUSR2');
    expect(await service.exit).toBe(1);
    const line = await service.line('uncaught exception: exiting');
    expect(line).toMatchObject({ level: 60, err: { name: 'Error', message: 'broken' } });
  });
});
