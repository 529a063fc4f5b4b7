import { expect, test } from '@jest/globals';
import { once } from 'node:events';

import { createRedisStore } from '../../lib/operator/stores/redis';
import { end, openingOf } from '../../lib/proof/contracts/changes';
import { startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import { MAIN, start } from './cli';
import { cleanupAfterEach } from '../support/each-test';

const cleanup = cleanupAfterEach();

test('tail goes on after a store that did not answer for a while', async () => {
  const redis = cleanup.after(await startRedis());
  const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const events = ['bridge'];
  const store = cleanup.after(
    createRedisStore({ url: redis.url, init: true, events, ...patience }),
  );
  const play = async (gameRound: string): Promise<void> => {
    await store.rounds.commit(
      { operatorId: 'op', playerId: 'p', gameRound },
      openingOf([end('e')]),
    );
  };
  await store.ready();
  await play('before');
  const args = ['--store', redis.url, '--operator', 'op', '--consumer', 'bridge'];
  const child = start(['events', 'tail', ...args], {}, MAIN);
  const ended = once(child, 'close');
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => void (output.out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => void (output.err += chunk.toString()));
  await until('the first event', () => output.out.includes('"before"'));
  await redis.pause();
  await until('the failure', () => /Tried again in \d+ ms: Redis did not/.test(output.err));
  await redis.resume();
  await play('behind');
  await until('the second event', () => output.out.includes('"behind"'));
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
