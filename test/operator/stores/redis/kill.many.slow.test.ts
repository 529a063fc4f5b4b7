import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { Cleanup } from '../../../servers/cleanup';
import { killUnderLoad, startLoadScene } from '../../../rgs/load/scene';
import { closeClient } from '../../../servers/redis/client';
import { startRedis } from '../../../servers/redis/server';
import { runs } from '../../../support/runs';

/** How often the server dies; `KILLS=300` makes a long run of it. */
const KILLS = Number(process.env['KILLS'] ?? runs(300, 10));
const CALLS_BETWEEN_KILLS = 400;
const COMMAND_TIMEOUT_MS = 300;
const DEADLINE_MS = 600;

const cleanup = new Cleanup();
const warnings: string[] = [];
const onWarning = ({ name, message }: Error): void => {
  warnings.push(`${name}: ${message}`);
};

beforeEach(() => {
  warnings.length = 0;
  process.on('warning', onWarning);
});

afterEach(async () => {
  process.off('warning', onWarning);
  await cleanup.run();
});

test('nothing acknowledged is lost and nothing is doubled when the server is killed again and again', async () => {
  const redis = cleanup.after(await startRedis());
  const options = { url: redis.url, decimals: 2, commandTimeoutMs: COMMAND_TIMEOUT_MS };
  const store = cleanup.after(createRedisStore({ init: true, ...options }));
  await store.ready();
  const scene = cleanup.after(
    await startLoadScene(store, { deadlineMs: DEADLINE_MS, lostReplyShare: 0.01 }),
  );
  await killUnderLoad(redis, scene, { kills: KILLS, callsBetween: CALLS_BETWEEN_KILLS });
  expect(await scene.finish()).toEqual([]);
  scene.tell(`${KILLS} kills, the store's own client`);
  const { failed, pending, voids } = scene.load.figures;
  expect(Math.min(failed, pending, voids)).toBeGreaterThan(0);
  expect(warnings).toEqual([]);
});

test('nothing is doubled by a client that resends by itself what was in flight when the server died', async () => {
  const kills = Math.ceil(KILLS / 3);
  const redis = cleanup.after(await startRedis());
  const client = cleanup.after(new Redis(redis.clientOptions), closeClient);
  client.on('error', () => undefined); // the server dies on purpose
  const options = { client, decimals: 2, commandTimeoutMs: COMMAND_TIMEOUT_MS };
  const store = cleanup.after(createRedisStore({ init: true, ...options }));
  await store.ready();
  const scene = cleanup.after(
    await startLoadScene(store, { deadlineMs: DEADLINE_MS, lostReplyShare: 0.01 }),
  );
  await killUnderLoad(redis, scene, { kills: kills, callsBetween: CALLS_BETWEEN_KILLS });
  expect(await scene.finish()).toEqual([]);
  scene.tell(`${kills} kills, a client of ioredis defaults`);
  expect(warnings).toEqual([]);
});
