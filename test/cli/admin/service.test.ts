import type { ServerResponse } from 'node:http';

import { describe, expect, test } from '@jest/globals';

import { createAdminService } from '../../../lib/cli/admin/service';
import { type SignIn, refused } from '../../../lib/cli/admin/sign-in';
import { createCallWatch } from '../../../lib/operator/operations';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { silentLogger } from '../../../lib/platform';
import type { RequestListener } from '../../../lib/platform/http';
import { RawConnection } from '../../network/raw-http';
import { until } from '../../servers/until';
import { cleanupAfterEach } from '../../support/each-test';

const cleanup = cleanupAfterEach();
const maria: SignIn = { kind: 'person', person: { id: 'maria', name: null, may: ['look'] } };

const ok: RequestListener = (_, response) => void response.end('ok');

/** A service whose path /held is answered when the test says so. */
async function start(signedIn: SignIn = maria) {
  const held: ServerResponse[] = [];
  let mostAtOnce = 0;
  const hold: RequestListener = (_, response) => {
    held.push(response);
    mostAtOnce = Math.max(mostAtOnce, held.length);
  };
  const service = createAdminService({
    settings: {
      port: 0,
      host: '127.0.0.1',
      signIn: async () => signedIn,
      users: null,
      publicOrigin: null,
      signOut: null,
      openHours: null,
      timeZone: null,
      booksZone: null,
      archiveChecks: [],
    },
    store: createMemoryStore(),
    operators: ['casino'],
    calls: createCallWatch(),
    creditTo: 'real',
    log: silentLogger,
    routes: new Map([
      ['/held', hold],
      ['/ok', ok],
    ]),
  });
  const port = await service.listen(0, '127.0.0.1');
  cleanup.after(service, (made) => made.close(Promise.resolve()));
  return { port, held, mostAtOnce: () => mostAtOnce };
}

async function connect(port: number): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  cleanup.after(connection, (made) => made.abort());
  return connection;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

describe('a body that nobody asked for', () => {
  test.each([
    ['a page', 'GET /attention', maria, 200],
    ['the JSON of a page', 'GET /attention.json', maria, 200],
    ['another path', 'GET /nowhere', maria, 404],
    ['another method', 'PUT /', maria, 405],
    ['a form of another site', 'POST /block', maria, 403],
    ['the metrics', 'GET /ok', maria, 200],
    ['a person who is not signed in', 'POST /block', refused(401, 'Sign in.'), 401],
  ] as const)('ends the connection with the answer: %s', async (_, line, signedIn, status) => {
    const { port } = await start(signedIn);
    const connection = await connect(port);
    connection.send(`${line} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`);
    // The body goes on for ever: only the server can end this.
    const { replies, closed } = await connection.replies(2);
    expect([replies.map((reply) => reply.status), closed]).toEqual([[status], true]);
  });
});

test('requests that come at once on one connection are worked on one after the other', async () => {
  const { port, held, mostAtOnce } = await start();
  const connection = await connect(port);
  connection.send(get('/held').repeat(20));
  for (let at = 0; at < 20; at++) {
    await until('the next request', () => held.length === 1);
    held.shift()?.end('done');
  }
  expect((await connection.replies(20)).replies).toHaveLength(20);
  expect(mostAtOnce()).toBe(1);
});

describe('the 65th connection', () => {
  test('takes the place of the oldest silent one, so that silence keeps nobody out', async () => {
    const { port } = await start();
    const silent = await Promise.all(Array.from({ length: 64 }, () => connect(port)));
    const late = await connect(port);
    late.send(get('/ok'));
    expect((await late.replies()).replies[0]?.status).toBe(200);
    const [oldest] = silent;
    expect((await oldest?.replies())?.closed).toBe(true);
  });

  test('is closed where every other has a request in work', async () => {
    const { port, held } = await start();
    const busy = await Promise.all(Array.from({ length: 64 }, () => connect(port)));
    for (const connection of busy) connection.send(get('/held'));
    await until('all requests', () => held.length === 64);
    expect((await (await connect(port)).replies()).closed).toBe(true);
    for (const response of held) response.end('done');
    for (const connection of busy) {
      expect((await connection.replies()).replies[0]?.status).toBe(200);
    }
  });
});
