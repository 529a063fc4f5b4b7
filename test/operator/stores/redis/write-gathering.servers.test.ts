/* oxlint-disable no-underscore-dangle -- what Node's streams call to write has such names */
import { stat } from 'node:fs';

import { expect, test } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';

import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { AccountStore, PlayerKey } from '../../../../lib/operator/wallet';
import { closeClient } from '../../../servers/redis/client';
import { startRedisCluster } from '../../../servers/redis/cluster';
import { startRedis } from '../../../servers/redis/server';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const cleanup = cleanupAfterEach();

interface Chunk {
  readonly chunk: unknown;
}
type Done = (error?: Error | null) => void;

const commandsIn = (text: string) => text.split('evalsha').length - 1;

/** How many commands each write of a connection has, from now on. */
function writesOf({ stream }: Redis): number[] {
  const writes: number[] = [];
  const write = stream._write.bind(stream);
  stream._write = (chunk: unknown, encoding: BufferEncoding, done: Done) => {
    writes.push(commandsIn(String(chunk)));
    write(chunk, encoding, done);
  };
  const writev = stream._writev?.bind(stream);
  stream._writev = (chunks: { chunk: unknown; encoding: BufferEncoding }[], done: Done) => {
    writes.push(commandsIn(chunks.map(({ chunk }: Chunk) => String(chunk)).join('')));
    writev?.(chunks, done);
  };
  return writes;
}

async function storeOver(client: Redis | Cluster): Promise<AccountStore> {
  cleanup.after(client, closeClient);
  const store = cleanup.after(createRedisStore({ ...patience, init: true, client }));
  await store.ready();
  // For an unknown player the store checks again.
  const opened = playersUpTo(60).map((player) =>
    store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '0' } }),
  );
  await Promise.all(opened);
  await ask(store, 1);
  return store;
}

function playersUpTo(count: number): PlayerKey[] {
  return Array.from({ length: count }, (_, at) => ({ operatorId: 'op', playerId: `p${at}` }));
}

/** Asks for so many balances in one turn of the event loop. */
async function ask(store: AccountStore, count: number): Promise<void> {
  const answers = await Promise.all(
    playersUpTo(count).map((player) => store.rounds.accounts(player)),
  );
  const accounts = [{ currency: 'EUR', real: 0n, bonus: null }];
  expect(answers).toEqual(answers.map(() => ({ kind: 'known', accounts })));
}

/** Resolves where requests and replies arrive. From a timer or an immediate, a timer may come first. */
function anEventOfIo(): Promise<void> {
  return new Promise((resolve) => {
    stat('.', () => resolve());
  });
}

test('commands of one turn leave in one write, sixteen at most; one alone leaves alone', async () => {
  const server = cleanup.after(await startRedis());
  const client = new Redis(server.clientOptions);
  const store = await storeOver(client);
  const writes = writesOf(client);
  await ask(store, 1);
  expect(writes.splice(0)).toEqual([1]);
  await ask(store, 40);
  expect(writes.splice(0)).toEqual([16, 16, 8]);
  await ask(store, 32);
  expect(writes.splice(0)).toEqual([16, 16]);
});

test('a command that an event of I/O sends leaves before any timer, though it is alone', async () => {
  const server = cleanup.after(await startRedis());
  const client = new Redis(server.clientOptions);
  const store = await storeOver(client);
  const writes = writesOf(client);
  await anEventOfIo();
  const answer = store.rounds.accounts({ operatorId: 'op', playerId: 'p1' });
  await new Promise<void>((resolve) => setTimeout(resolve, 0));
  expect(writes).toEqual([1]);
  await answer;
});

test('commands to the masters of a cluster leave in one write for each', async () => {
  const cluster = cleanup.after(await startRedisCluster());
  const client = new Cluster([...cluster.startupNodes]);
  const store = await storeOver(client);
  await ask(store, 60);
  const writes = client.nodes('master').map(writesOf);
  await ask(store, 16);
  expect(writes).toHaveLength(3);
  for (const ofOne of writes) expect(ofOne.length).toBeLessThanOrEqual(1);
  expect(writes.flat().reduce((sum, commands) => sum + commands, 0)).toBe(16);
});
