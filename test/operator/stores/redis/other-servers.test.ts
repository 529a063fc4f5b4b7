import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { inspectServer } from '../../../../lib/operator/stores/redis/connection/safety-check';
import { StoreUnsafeError } from '../../../../lib/operator/wallet';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const cleanup = cleanupAfterEach();
/** What each server says of itself in INFO, as its releases do. */
const dragonfly =
  '# Server\r\nredis_version:7.4.0\r\ndragonfly_version:df-v1.40.1\r\nredis_mode:standalone\r\narch_bits:64\r\n';
const keydb =
  '# Server\r\nredis_version:6.3.4\r\nredis_mode:standalone\r\nexecutable:/data/keydb-server\r\n\r\n# KeyDB\r\nmvcc_depth:0\r\n';
const kvrocks =
  '# Server\r\nversion:2.12.1\r\nkvrocks_version:2.12.1\r\nredis_version:7.0.0\r\nredis_mode:standalone\r\n';
const valkey =
  '# Server\r\nredis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.1\r\nserver_mode:standalone\r\n';

const durable: Readonly<Record<string, string>> = {
  'maxmemory-policy': 'noeviction',
  appendonly: 'yes',
  appendfsync: 'always',
  'no-appendfsync-on-rewrite': 'no',
};

test.each([
  ['DragonflyDB', dragonfly],
  ['KeyDB', keydb],
  ['Kvrocks', kvrocks],
])('%s is refused by name, with the reason, also where loss is accepted', async (name, info) => {
  const url = await serve(info);
  for (const accepted of [{}, { acceptLoss: true }, { assumeDurable: true }]) {
    const error = await failureAt(url, accepted);
    expect(error).toBeInstanceOf(StoreUnsafeError);
    expect((error as Error).message).toMatch(
      new RegExp(
        `${name} is refused: .+; a failover loses money that was acknowledged\\. Use Redis`,
      ),
    );
  }
});

test('Valkey, which names itself as well, passes', async () => {
  const client = cleanup.after(new Redis(await serve(valkey)), (opened) => opened.disconnect());
  const findings = await inspectServer(client, { assumeDurable: false, rights: null });
  expect(findings).toMatchObject({ dangers: [], passwords: [], replicas: 0, assumed: null });
});

test.each(Object.keys(durable))(
  'a server that has no setting %s is not safe: what it does not say is not assumed',
  async (setting) => {
    const url = await serve(valkey, { ...durable, [setting]: null });
    const client = cleanup.after(new Redis(url), (opened) => opened.disconnect());
    const { dangers, settings } = await inspectServer(client, {
      assumeDurable: false,
      rights: null,
    });
    expect(dangers).toEqual([expect.stringContaining(setting)]);
    expect(settings.find(({ name }) => name === setting)).toMatchObject({
      value: null,
      isMet: false,
    });
  },
);

async function failureAt(url: string, accepted: object): Promise<unknown> {
  const store = createRedisStore({ url, ...patience, ...accepted });
  try {
    return await store.ready().then(
      () => null,
      (error: unknown) => error,
    );
  } finally {
    await store.close();
  }
}

type Settings = Readonly<Record<string, string | null>>;

/** A server of TCP that speaks RESP, says this of itself, and knows no scripts. */
async function serve(info: string, settings: Settings = durable): Promise<string> {
  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    answerCalls(client, (command) => replyTo(command, info, settings));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.after(server);
  const { port } = server.address() as AddressInfo;
  return `redis://127.0.0.1:${port}`;
}

function replyTo(
  [name = '', , setting = '']: readonly string[],
  info: string,
  settings: Settings,
): string {
  const command = name.toLowerCase();
  if (command === 'info') return bulk(`${info}role:master\r\nconnected_slaves:0\r\n`);
  if (command === 'config') {
    const value = settings[setting];
    return value === null ? '*0\r\n' : `*2\r\n${bulk(setting)}${bulk(value ?? '')}`;
  }
  if (/^(?:hello|eval|evalsha)$/.test(command)) return `-ERR unknown command '${command}'\r\n`;
  return '+OK\r\n';
}

function bulk(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
}

/** Reads commands as they come, arrays of texts, and answers each. */
function answerCalls(client: Socket, answer: (command: readonly string[]) => string): void {
  let unread = '';
  client.on('data', (bytes: Buffer) => {
    unread += bytes.toString('latin1');
    for (let read = readCommand(unread); read !== null; read = readCommand(unread)) {
      unread = unread.slice(read.length);
      client.write(answer(read.command));
    }
  });
}

/** The first command of a text; null while it is not whole. */
function readCommand(text: string): { command: string[]; length: number } | null {
  const [head = '', count = ''] = /^\*(\d+)\r\n/.exec(text) ?? [];
  if (head === '') return null;
  const command: string[] = [];
  let at = head.length;
  while (command.length < Number(count)) {
    const [line = '', size = ''] = /^\$(\d+)\r\n/.exec(text.slice(at, at + 20)) ?? [];
    const end = at + line.length + Number(size);
    if (line === '' || text.length < end + 2) return null;
    command.push(text.slice(at + line.length, end));
    at = end + 2;
  }
  return { command, length: at };
}
