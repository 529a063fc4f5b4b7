import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { createRedisStore } from '../../../lib/operator/stores/redis';
import { end, openingOf } from '../../../lib/proof/contracts/changes';
import { blockOf } from '../../docs/blocks';
import { temporaryFolder } from '../../servers/reaper';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { type LogLine, MAIN, runCli, start } from '../cli';

let redis: RedisServer;
let store: ReturnType<typeof createRedisStore>;
let witness: ChildProcess;
const operatorId = 'op';

beforeAll(async () => {
  redis = await startRedis();
  store = createRedisStore({ url: redis.url, init: true, events: ['archive'], ...patience });
  await store.ready();
});

afterAll(async () => {
  await store.close();
  await redis.stop();
});

async function newKey(folder: string, name: string, origin: string) {
  const file = join(folder, name);
  const { stdout } = await runCli(['archive', 'key', 'new', '--out', file, '--origin', origin]);
  return { file, vkey: stdout.trim() };
}

async function commit(gameRound: string): Promise<void> {
  await store.rounds.commit({ operatorId, playerId: 'p', gameRound }, openingOf([end('e')]));
}

test('a witness signs what grows, joins the checkpoints, and refuses a log that was made anew', async () => {
  const folder = await temporaryFolder('archive');
  const [key, own] = [
    await newKey(folder, 'key', 'casino.example/op'),
    await newKey(folder, 'witness', 'witness.example/w1'),
  ];
  const state = join(folder, 'state');
  const given: Record<string, string> = {
    '127.0.0.1:8090': '127.0.0.1:0',
    'witness.key': own.file,
    '/srv/witness': state,
    '"$VKEY"': key.vkey,
  };
  const command = blockOf('docs/archive.md', 'archive-witness').code.split('\n')[1] ?? '';
  const [, ...words] = command.split(' ');
  witness = start(
    words.map((word) => given[word] ?? word),
    {},
    MAIN,
  );
  const ended = once(witness, 'close');
  const lines = createInterface(witness.stdout as NodeJS.ReadableStream);
  const [first] = (await once(lines, 'line')) as [string];
  const { port, vkey } = JSON.parse(first) as LogLine & { port: number; vkey: string };
  const anchor = `http://127.0.0.1:${port}/#${encodeURIComponent(vkey)}`;
  const run = ['archive', 'run', '--store', redis.url, '--operator', operatorId, '--once'];
  const kept = join(folder, 'kept');
  const archive = (to: string, ...more: string[]) =>
    runCli([...run, '--to', to, '--key', key.file, '--anchor', anchor, ...more]);
  for (const [at, rounds] of [['a'], ['b', 'c'], ['d']].entries()) {
    for (const round of rounds) await commit(round);
    const { code, stdout } = await archive(kept, ...(at === 1 ? ['--segment-events', '2'] : []));
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('an anchor')]);
  }
  const checkpoints = await readFile(join(kept, 'checkpoints'), 'utf8');
  expect(checkpoints.match(/^— witness\.example\/w1 /gm)?.length).toBeGreaterThanOrEqual(3);
  const seen = join(state, encodeURIComponent('casino.example/op'));
  const verified = await runCli(['archive', 'verify', kept, '--key', key.vkey, '--anchor', seen]);
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('up to 4')]);
  for (const round of ['e', 'f', 'g', 'h', 'i']) await commit(round);
  const anew = await archive(join(folder, 'anew'));
  expect(anew.stdout).toContain('an anchor contradicts the archive');
  const stranger = await newKey(folder, 'stranger', 'casino.example/other');
  const other = [...run, '--to', join(folder, 'other'), '--key', stranger.file];
  await commit('j');
  expect((await runCli([...other, '--anchor', anchor])).stdout).toContain('HTTP 404');
  witness.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
