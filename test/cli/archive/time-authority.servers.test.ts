import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createRedisStore } from '../../../lib/operator/stores/redis';
import { end, openingOf } from '../../../lib/proof/contracts/changes';
import { Cleanup } from '../../servers/cleanup';
import { temporaryFolder } from '../../servers/reaper';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { runCli, runProcess } from '../cli';

const execute = promisify(execFile);
const cleanup = new Cleanup();
const operatorId = 'op';
let redis: RedisServer;
let store: ReturnType<typeof createRedisStore>;
let folder: string;
/** What the authority does with a query; its own reply unless set. */
let forge: ((reply: Buffer) => Buffer | number) | null = null;
let origins: { readonly https: string; readonly http: string };

const openssl = (...words: string[]) => execute('openssl', words, { cwd: folder });

/** An authority, and what it has signed: a server on 127.0.0.1 and a time stamping unit. */
async function makeCertificates(): Promise<void> {
  await writeFile(
    join(folder, 'openssl.cnf'),
    `[req]
distinguished_name = name
[name]
[ca]
basicConstraints = critical,CA:TRUE
[server]
subjectAltName = IP:127.0.0.1
[unit]
extendedKeyUsage = critical,timeStamping
[tsa]
default_tsa = here
[here]
serial = serial
crypto_device = builtin
signer_cert = unit.pem
certs = ca.pem
signer_key = unit.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
tsa_name = yes
`,
  );
  const config = ['-config', 'openssl.cnf'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const make = (name: string, ...more: string[]) => {
    const made = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-extensions', name];
    const request = ['req', '-x509', ...config, ...key, '-days', '2', '-subj', `/CN=${name}`];
    return openssl(...request, ...made, ...more);
  };
  await make('ca');
  for (const name of ['server', 'unit']) await make(name, '-CA', 'ca.pem', '-CAkey', 'ca.key');
}

const listener: RequestListener = (request, response) => void answer(request, response);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const type = request.headers['content-type'];
  await writeFile(join(folder, 'query'), Buffer.concat(chunks));
  const sign = ['ts', '-reply', '-config', 'openssl.cnf', '-queryfile', 'query', '-out', 'reply'];
  await openssl(...sign);
  const reply = await readFile(join(folder, 'reply'));
  const sent = type === 'application/timestamp-query' ? (forge?.(reply) ?? reply) : 415;
  response.statusCode = typeof sent === 'number' ? sent : 200;
  response.end(typeof sent === 'number' ? '' : sent);
}

beforeAll(async () => {
  folder = await temporaryFolder('authority');
  await makeCertificates();
  const [key, cert] = [
    await readFile(join(folder, 'server.key')),
    await readFile(join(folder, 'server.pem')),
  ];
  const tls = cleanup.after(createHttpsServer({ key, cert }, listener), (one) => one.close());
  const plain = cleanup.after(createHttpServer(listener), (one) => one.close());
  for (const server of [tls, plain]) await once(server.listen(0, '127.0.0.1'), 'listening');
  const [secure, open] = [tls, plain].map((one) => (one.address() as AddressInfo).port);
  origins = { https: `https://127.0.0.1:${secure}`, http: `http://127.0.0.1:${open}` };
  redis = await startRedis();
  store = createRedisStore({ url: redis.url, init: true, events: ['archive'], ...patience });
  await store.ready();
  const made = [
    'archive',
    'key',
    'new',
    '--out',
    join(folder, 'key'),
    '--origin',
    'casino.example',
  ];
  expect((await runCli(made)).code).toBe(0);
});

afterAll(async () => {
  await store.close();
  await redis.stop();
  await cleanup.run();
});

let rounds = 0;

/** Archives one more event, with the time authority as the anchor. */
async function archive(to: string, origin: string, env: Record<string, string> = {}) {
  const gameRound = `round-${++rounds}`;
  await store.rounds.commit({ operatorId, playerId: 'p', gameRound }, openingOf([end(gameRound)]));
  const run = ['archive', 'run', '--store', redis.url, '--operator', operatorId, '--once'];
  const where = ['--to', to, '--key', join(folder, 'key')];
  return runProcess([...run, ...where, '--anchor', `rfc3161+${origin}/tsr?token=secret`], { env });
}

const trusting = () => ({ NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') });

test('a time authority stamps a checkpoint over https and http, and openssl checks what prove hands out', async () => {
  const kept = join(await temporaryFolder('archive'), 'kept');
  for (const [origin, size] of [
    [origins.https, 1],
    [origins.http, 2],
  ] as const) {
    const { code, stdout } = await archive(kept, origin, trusting());
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('an anchor')]);
    expect(await readdir(join(kept, 'checkpoints.d'))).toContain(`${size}.tsr`);
    const out = join(await temporaryFolder('proof'), 'proof');
    const prove = ['archive', 'prove', kept, '--round', `round-${rounds}`, '--out', out];
    expect(await runCli(prove)).toMatchObject({ code: 0 });
    const check = ['ts', '-verify', '-in', join(out, `${size}.tsr`), '-CAfile', 'ca.pem'];
    const { stdout: said } = await openssl(...check, '-data', join(out, `${size}.checkpoint`));
    expect(said).toContain('Verification: OK');
    expect(await readFile(join(out, 'README.txt'), 'utf8')).toContain(`-in ${size}.tsr`);
  }
  expect((await runCli(['archive', 'verify', kept])).code).toBe(0);
});

test('a reply that is not for this checkpoint, no reply, or one of a stranger is not kept, and the log says why', async () => {
  const former = await readFile(join(folder, 'reply'));
  const refusal = Buffer.from('30143012020102300d0c0b6e6f1b5b324a7768656e3f', 'hex');
  const cases: [why: string, forge: typeof forge, env?: Record<string, string>][] = [
    ['the time stamp is of something else', () => former],
    ['it is no reply of a time authority', (reply) => reply.subarray(0, reply.length - 1)],
    ['it is no reply of a time authority', () => Buffer.from('<html>')],
    ['the reply of the time authority is too long', () => Buffer.alloc(70_000, 0x30)],
    ['the time authority refuses: no?[2Jwhen?', () => refusal],
    ['the time authority answered HTTP 503', () => 503],
    ['its certificate is not trusted', null, {}],
  ];
  for (const [why, forged, env = trusting()] of cases) {
    forge = forged;
    const kept = join(await temporaryFolder('archive'), 'kept');
    const { code, stdout } = await archive(kept, origins.https, env);
    expect([why, code, stdout]).toEqual([why, 0, expect.stringContaining(why)]);
    expect(stdout).not.toContain('secret');
    expect(await readdir(kept)).not.toContain('checkpoints.d');
  }
});

test('what is no address of a time authority is refused in one line', async () => {
  const run = ['archive', 'run', '--store', redis.url, '--operator', operatorId, '--to', folder];
  for (const [anchors, error] of [
    [['rfc3161+ftp://tsa.example/'], 'rfc3161+ must go on with https:// or http://'],
    [['rfc3161+https://'], '--anchor is no address.'],
    [['rfc3161+https://a:b@tsa.example/'], 'takes no user and password'],
    [['rfc3161+https://tsa.example/#key'], 'has nothing after #'],
    [['rfc3161+https://a.example/', 'rfc3161+https://b.example/'], 'takes one time authority'],
  ] as const) {
    const flags = anchors.flatMap((anchor) => ['--anchor', anchor]);
    const { code, stderr } = await runCli([...run, '--key', join(folder, 'key'), ...flags]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(error)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
});
