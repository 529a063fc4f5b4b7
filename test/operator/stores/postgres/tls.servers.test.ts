import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Pool } from 'pg';

import {
  createPostgresStore,
  type PostgresStoreOptions,
} from '../../../../lib/operator/stores/postgres';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { runCli } from '../../../cli/cli';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { accountFolder, runAsAccount } from '../../../servers/server-account';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const cleanup = cleanupAfterEach();
let server: PostgresServer;
let admin: Pool;
let cert: string;
let ca: string;

beforeAll(async () => {
  const folder = await accountFolder('tls');
  cert = join(folder, 'cert.pem');
  const key = join(folder, 'key.pem');
  const subject = '-subj /CN=postgres -addext subjectAltName=IP:127.0.0.1';
  const command = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ${key} -out ${cert} -days 2 ${subject}`;
  await runAsAccount('openssl', command.split(' '));
  ca = await readFile(cert, 'utf8');
  server = await startPostgres({
    settings: { ssl: 'on', ssl_cert_file: cert, ssl_key_file: key },
  });
  admin = new Pool({ connectionString: server.url });
});

afterAll(async () => {
  await admin.end();
  await server.stop();
});

/** For a server that is refused: the store tries again until the time is over. */
const brief = { connectTimeoutMs: 3000 };

function open(url: string, options: PostgresStoreOptions = {}): AccountStore {
  const store = createPostgresStore({ ...patience, url, init: true, ...options });
  return cleanup.after(store);
}

/** Whether the connections of the stores that are open are encrypted; each once. */
async function encrypted(): Promise<boolean[]> {
  const { rows } = await admin.query<{ ssl: boolean }>(
    `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'rgs-wallet'`,
  );
  return rows.map(({ ssl }) => ssl);
}

test('tls trusts the authority that is given, and the connections are encrypted', async () => {
  await open(server.url, { tls: { ca } }).ready();
  expect(await encrypted()).toEqual([true]);
});

test('an authority that was not given is not trusted', async () => {
  await expect(open(server.url, { ...brief, tls: {} }).ready()).rejects.toThrow(/self-signed/);
  await expect(open(`${server.url}?sslmode=verify-full`, brief).ready()).rejects.toThrow(
    /self-signed/,
  );
});

test('a certificate for another name is not taken', async () => {
  const url = server.url.replace('127.0.0.1', 'localhost');
  await expect(open(url, { ...brief, tls: { ca } }).ready()).rejects.toThrow(/localhost/);
});

test('sslmode and sslrootcert of the address say the same', async () => {
  await open(`${server.url}?sslmode=verify-full&sslrootcert=${cert}`).ready();
  expect(await encrypted()).toEqual([true]);
});

test.each([
  'sslmode=disable',
  'sslmode=no-verify',
  'ssl=true',
  'sslrootcert=/a',
  'SSLMODE=disable',
])(
  'tls beside %s of the address is refused, since one of them would count for nothing',
  (parameter) => {
    const make = () => createPostgresStore({ url: `${server.url}?${parameter}`, tls: { ca } });
    expect(make).toThrow(TypeError);
    expect(make).toThrow('either tls or the ssl parameters');
  },
);

test('the command line takes them from the address, also to migrate', async () => {
  const url = `${await server.createDatabase()}?sslmode=verify-full`;
  const refused = await runCli(['migrate', '--store', url]);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(
    /^error: The store [^\n]* cannot be migrated: self-signed[^\n]*\n$/,
  );
  const done = await runCli(['migrate', '--store', `${url}&sslrootcert=${cert}`]);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  const demo = await runCli(['demo', '--store', `${url}&sslrootcert=${cert}`]);
  expect(demo).toMatchObject({ code: 0, stderr: '' });
});

test('a missing sslrootcert file is reported in one line', async () => {
  const store = `${server.url}?sslmode=verify-full&sslrootcert=/no/such.pem`;
  for (const command of ['migrate', 'demo']) {
    const { code, stderr } = await runCli([command, '--store', store]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^error: [^\n]*\/no\/such\.pem[^\n]*\n$/),
    });
  }
});
