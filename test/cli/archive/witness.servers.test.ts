import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
let witness: ChildProcess | undefined;
let liars: Server[] = [];
const operatorId = 'op';

beforeAll(async () => {
  redis = await startRedis();
  store = createRedisStore({ url: redis.url, init: true, events: ['archive'], ...patience });
  await store.ready();
});

afterAll(async () => {
  witness?.kill();
  for (const server of liars) {
    server.close();
    server.closeAllConnections();
  }
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
  const proof = join(folder, 'proof');
  await runCli(['archive', 'prove', kept, '--player', 'p', '--round', 'b', '--out', proof]);
  const check = (...keys: string[]): string => {
    const { stdout, stderr } = spawnSync('python3', [join(proof, 'verify_proof.py'), ...keys]);
    return String(stdout) + String(stderr);
  };
  if (spawnSync('python3', ['--version']).status === 0) {
    const day = new Date().toISOString().slice(0, 11);
    expect(check(key.vkey, vkey, proof)).toContain(`, seen by witness.example/w1 at ${day}`);
    expect(check(key.vkey, own.vkey)).toBe('FAILED: line 1: WITNESS_VKEY is no key\n');
    const proofFile = join(proof, 'event.1.tlog-proof');
    const text = await readFile(proofFile, 'utf8');
    // A letter of the time in the signature, and then without the signature.
    for (const changed of [
      text.replace(/(?<=w1 .{9})./, (letter) => (letter === 'A' ? 'B' : 'A')),
      text.replace(/— witness.*\n/, ''),
    ]) {
      await writeFile(proofFile, changed);
      expect(check(key.vkey, vkey)).toContain('not signed by witness.example/w1\n');
    }
  }
  for (const round of ['e', 'f', 'g', 'h', 'i']) await commit(round);
  const anew = await archive(join(folder, 'anew'));
  expect(anew.stdout).toContain('an anchor contradicts the archive');
  for (const [name, origin, why] of [
    ['stranger', 'casino.example/other', 'HTTP 404: it does not know this log'],
    ['next', 'casino.example/op', 'HTTP 403: it knows no key that has signed this checkpoint'],
  ] as const) {
    const { file } = await newKey(folder, name, origin);
    await commit(name);
    const to = ['--to', join(folder, `of ${name}`), '--key', file, '--anchor', anchor];
    expect((await runCli([...run, ...to])).stdout).toContain(why);
  }
  witness.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

const signatureOf = (name: string, bytes: Buffer) => `\u2014 ${name} ${bytes.toString('base64')}\n`;

test('what a lying witness signs in the names of others spoils no checkpoint', async () => {
  const folder = await temporaryFolder('archive');
  const key = await newKey(folder, 'key', 'casino.example/op');
  const [, id = ''] = key.vkey.split('+');
  const forged = signatureOf(
    'casino.example/op',
    Buffer.concat([Buffer.from(id, 'hex'), Buffer.alloc(64)]),
  );
  const timed = signatureOf(
    'casino.example/op',
    Buffer.concat([Buffer.from(id, 'hex'), Buffer.alloc(72)]),
  );
  const many = Array.from({ length: 60 }, (_, n) =>
    signatureOf(`w${n}.example`, Buffer.alloc(76, 1)),
  );
  liars = [`${forged}${timed}`, many.join(''), many.toReversed().join('')].map((answer) =>
    createServer((_, response) => void response.end(answer)),
  );
  const anchors: string[] = [];
  for (const server of liars) {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    anchors.push('--anchor', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }
  const to = join(folder, 'kept');
  const flags = ['--store', redis.url, '--operator', operatorId, '--once', '--key', key.file];
  for (const round of ['l', 'm']) {
    await commit(round);
    const { code, stdout } = await runCli(['archive', 'run', ...flags, '--to', to, ...anchors]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('without a cosignature')]);
    const { code: whole } = await runCli(['archive', 'verify', to, '--key', key.vkey]);
    expect(whole).toBe(0);
  }
});
