import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { AccountStore } from '../../../lib/operator/wallet';
import { end, openingOf, take } from '../../../lib/proof/contracts/changes';
import { blockOf } from '../../docs/blocks';
import { reapWithThisProcess, temporaryFolder } from '../../servers/reaper';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { until } from '../../servers/until';
import { built } from '../../support/built';
import { patience } from '../../support/patience';
import { MAIN, runCli, start } from '../cli';

const run = promisify(execFile);
let redis: RedisServer;
let postgres: PostgresServer;
let addresses: Readonly<Record<string, string>>;
let stores: Readonly<Record<string, AccountStore>>;
let operators = 0;
let key: string;
let vkey: string;

beforeAll(async () => {
  redis = await startRedis();
  postgres = await startPostgres();
  addresses = { Redis: redis.url, PostgreSQL: await postgres.createDatabase() };
  const options = { events: ['archive'], ...patience };
  stores = {
    Redis: createRedisStore({ url: redis.url, init: true, ...options }),
    PostgreSQL: createPostgresStore({ url: addresses['PostgreSQL'] ?? '', init: true, ...options }),
  };
  for (const store of Object.values(stores)) await store.ready();
  key = join(await temporaryFolder('archive'), 'archive.key');
  vkey = await newKey(key);
});

afterAll(async () => {
  for (const store of Object.values(stores)) await store.close();
  await redis.stop();
  await postgres.stop();
});

async function newKey(file: string): Promise<string> {
  const made = await runCli([
    'archive',
    'key',
    'new',
    '--out',
    file,
    '--origin',
    'casino.example/op',
  ]);
  expect([made.code, made.stderr]).toEqual([0, '']);
  return made.stdout.trim();
}

/** An opening and two commits of another operator; returns what a command of the archive needs. */
async function withThreeEvents(name = 'Redis'): Promise<string[]> {
  const operatorId = `op-${operators++}`;
  const round = { operatorId, playerId: 'p', gameRound: 'r' };
  const store = stores[name] as AccountStore;
  await store.players.openPlayer({ ...round, currency: 'EUR', balances: { real: '5' } });
  await store.rounds.commit(round, openingOf([take('d', 10_000n)]));
  await store.rounds.commit({ ...round, gameRound: 's' }, openingOf([end('e')]));
  return ['--store', addresses[name] ?? '', '--operator', operatorId];
}

/** One more, of another round of the same player. */
const addEvent = ([, , , operatorId = '']: readonly string[], gameRound: string) =>
  (stores['Redis'] as AccountStore).rounds.commit(
    { operatorId, playerId: 'p', gameRound },
    openingOf([end(`e-${gameRound}`)]),
  );

const archive = (args: readonly string[], folder: string, ...more: string[]) =>
  runCli(['archive', 'run', ...args, '--to', folder, '--key', key, '--once', ...more]);

describe.each(['Redis', 'PostgreSQL'])('archive run of %s', (name) => {
  test('keeps each event once, sealed or not, and a second run adds nothing', async () => {
    const args = await withThreeEvents(name);
    const folder = join(await temporaryFolder('archive'), 'made');
    const anchor = await temporaryFolder('anchor');
    for (let time = 0; time < 2; time++) {
      const kept = await archive(args, folder, '--anchor', anchor, '--segment-events', '1');
      expect(kept).toMatchObject({ code: 0, stderr: '' });
    }
    const records = await readdir(join(folder, 'segments'));
    expect(records.toSorted()).toEqual([0, 1, 2].map((from) => `00000000000${from}.json`));
    const verified = await runCli(['archive', 'verify', folder, '--anchor', anchor, '--key', vkey]);
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringContaining('whole: 3 events'),
    ]);
    const sums = await run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder });
    expect(sums.stdout.match(/OK/g)).toHaveLength(3);
    expect(await readFile(join(anchor, 'checkpoints'), 'utf8')).toContain('casino.example/op\n3\n');
  });
});

test('a second archive of the folder is refused; a signal ends the first with 0, and the next need not wait', async () => {
  const args = await withThreeEvents();
  const folder = await temporaryFolder('archive');
  const child = start(['archive', 'run', ...args, '--to', folder, '--key', key], {}, MAIN);
  const ended = new Promise((resolve) => child.once('close', resolve));
  await until('the first to write', async () => {
    return (await readFile(join(folder, 'sessions/0000000001.jsonl'), 'utf8')).includes('"batch"');
  });
  const second = await archive(args, folder);
  expect([second.code, second.stderr]).toEqual([
    2,
    expect.stringMatching(/^error: Process \d+ on .* writes to this folder/),
  ]);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(await archive(args, folder)).toMatchObject({ code: 0 });
});

test('with --metrics it shows for how long an anchor has lacked a checkpoint, and ends with the archive', async () => {
  const args = await withThreeEvents();
  const folder = await temporaryFolder('archive');
  const silent = ['--anchor', 'http://127.0.0.1:1/', '--checkpoint-seconds', '1'];
  const metrics = ['--metrics', '127.0.0.1:0'];
  const run3 = ['archive', 'run', ...args, '--to', folder, '--key', key, ...silent, ...metrics];
  const child = start(run3, {}, MAIN);
  const ended = new Promise((resolve) => child.once('close', resolve));
  let log = '';
  child.stdout?.on('data', (text: Buffer) => (log += text.toString()));
  const [, port] = await until('the port', () => /"port":(\d+)/.exec(log));
  const url = `http://127.0.0.1:${port}/metrics`;
  const sample = /^rgs_wallet_archive_unanchored_seconds\{operator="op-\d+"\} (\d+)$/m;
  const seconds = async () => sample.exec(await (await fetch(url)).text())?.[1];
  expect(await seconds()).toMatch(/^\d+$/);
  await until('the anchor to be missed', async () => Number(await seconds()) > 0);
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${url}x`)).status).toBe(404);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  const wrong = await archive(args, folder, '--metrics', 'here');
  expect([wrong.code, wrong.stderr]).toEqual([2, 'error: --metrics must be host:port.\n']);
});

test('nothing is read from the store before the key is read; a key that others can read is refused', async () => {
  const args = await withThreeEvents();
  const folder = join(await temporaryFolder('archive'), 'none');
  const keys = await temporaryFolder('archive');
  const [open, none, bare] = ['open.key', 'none.key', 'bare.key'].map((name) =>
    join(keys, name),
  ) as [string, string, string];
  await newKey(open);
  const [, ...pem] = (await readFile(open, 'utf8')).split('\n');
  await writeFile(bare, pem.join('\n'), { mode: 0o600 });
  await chmod(open, 0o644);
  await writeFile(none, 'no key\n', { mode: 0o600 });
  const base = [
    'archive',
    'run',
    '--store',
    'redis://127.0.0.1:1',
    '--operator',
    'op',
    '--to',
    folder,
  ];
  for (const [file, why] of [
    [join(folder, 'no.key'), 'no.key cannot be read: no such file\n'],
    [open, 'everybody on this machine can read'],
    [none, 'must hold a private key of Ed25519'],
    [bare, 'the file does not say of which log the key is'],
  ] as const) {
    const refused = await runCli([...base, '--key', file]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(why)]);
  }
  expect(await runCli([...base, '--once'])).toMatchObject({
    code: 2,
    stderr: 'error: --key is missing.\n',
  });
  await expect(stat(folder)).rejects.toThrow('ENOENT');
  const lag = await runCli(['events', 'lag', ...args]);
  expect(JSON.parse(lag.stdout)).toMatchObject({ consumer: 'archive', waiting: 3 });
});

test('a consumer that is not declared is refused before the folder is made', async () => {
  const args = await withThreeEvents();
  const folder = join(await temporaryFolder('archive'), 'none');
  expect(await archive(args, folder, '--consumer', 'other')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: The consumer other is not declared in this store, which has archive: start the wallet with serve --events other.\n',
  });
  await expect(stat(folder)).rejects.toThrow('ENOENT');
});

test('a key file that exists is not replaced, and the refusal says so in words', async () => {
  const made = ['archive', 'key', 'new', '--out', key, '--origin', 'casino.example/op'];
  expect(await runCli(made)).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: --out ${key} cannot be made: it exists already\n`,
  });
});

test('a folder that is another archive or none is refused with one line, and left as it is', async () => {
  const args = await withThreeEvents();
  const other = await temporaryFolder('archive');
  expect(await archive(await withThreeEvents(), other)).toMatchObject({ code: 0 });
  const used = await temporaryFolder('archive');
  await writeFile(join(used, 'holiday.jpg.tmp'), 'a picture');
  const old = await temporaryFolder('archive');
  await writeFile(join(old, 'archive.json'), '{"operatorId":"op"}\n');
  const otherKey = join(await temporaryFolder('archive'), 'other.key');
  await newKey(otherKey);
  for (const [folder, why] of [
    [other, 'The folder holds the events of another operator'],
    [used, 'The folder is no archive, and not empty'],
    [old, 'rgs-wallet archive import OLD --to NEW --key FILE'],
  ] as const) {
    const before = (await readdir(folder, { recursive: true })).toSorted();
    for (const command of [
      ['archive', 'run'],
      ['events', 'archive'],
    ]) {
      const refused = await runCli([...command, ...args, '--to', folder, '--key', key, '--once']);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(why)]);
      expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    }
    expect((await readdir(folder, { recursive: true })).toSorted()).toEqual(before);
  }
  const own = await temporaryFolder('archive');
  expect(await archive(args, own)).toMatchObject({ code: 0 });
  const refused = await runCli([
    'archive',
    'run',
    ...args,
    '--to',
    own,
    '--key',
    otherKey,
    '--once',
  ]);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('signed by another key'),
  ]);
});

test('a folder within another log is refused before anything is made, wherever a link leads', async () => {
  const args = await withThreeEvents();
  const root = await temporaryFolder('archive');
  const at = (path: string): string => join(root, path);
  for (const folder of ['anchor', 'witness/sessions', 'old', 'outer']) {
    await mkdir(at(folder), { recursive: true });
  }
  const anchored = await archive(args, at('outer/archive'), '--anchor', at('anchor'));
  expect(anchored).toMatchObject({ code: 0 });
  await writeFile(at('witness/sessions/0000000001.jsonl'), '');
  await writeFile(at('old/archive.json'), '{"operatorId":"op"}\n');
  await symlink(at('outer/archive'), at('link'));
  const before = (await readdir(root, { recursive: true })).toSorted();
  const outside = at('new/archive');
  for (const [flags, why] of [
    [['--to', at('outer/archive/new')], 'outer/archive, which is an archive: name a folder out'],
    [['--to', at('link/deep/new')], 'outer/archive, which is an archive: name a folder outside'],
    [['--to', at('old/new')], 'old, which is an archive: name a folder outside of it'],
    [['--to', at('anchor/new')], 'anchor, which is an anchor: name a folder outside of it'],
    [['--to', at('witness/new')], 'witness, which is the state of a witness: name a folder out'],
    [['--to', at('outer')], 'The folder is no archive, and not empty'],
    [['--to', outside, '--anchor', at('link/segments')], '--anchor is within'],
    [
      ['--to', at('outer/new'), '--anchor', at('outer')],
      '--anchor must be no folder within that of --to, nor one above it',
    ],
  ] as const) {
    const refused = await runCli(['archive', 'run', ...args, ...flags, '--key', key, '--once']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    expect((await readdir(root, { recursive: true })).toSorted()).toEqual(before);
  }
  expect(await archive(args, at('beside'))).toMatchObject({ code: 0 });
});

/** Runs a command with a limit of the size of files, which stops a write midway, as a full disk does. */
async function runOnFullDisk(blocks: number, command: readonly string[]): Promise<void> {
  const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`;
  const { PATH = '' } = process.env;
  const full = run('sh', ['-c', script, process.execPath, built('cli/main.js'), ...command], {
    env: { PATH },
  });
  reapWithThisProcess(full.child);
  await full;
}

test('a key that a full disk stops is no file, so that it can be made again', async () => {
  const folder = await temporaryFolder('archive');
  const made = ['archive', 'key', 'new', '--out', join(folder, 'key'), '--origin', 'a.example/b'];
  await expect(runOnFullDisk(0, made)).rejects.toMatchObject({ code: 2 });
  expect(await readdir(folder)).toEqual([]);
  expect(await runCli(made)).toMatchObject({ code: 0 });
});

test('a full disk is exit code 2, and with room again each event is there once', async () => {
  const args = await withThreeEvents();
  const folder = await temporaryFolder('archive');
  const operatorId = args.at(-1) ?? '';
  for (let at = 0; at < 20; at++) {
    const round = { operatorId, playerId: 'p', gameRound: `more-${at}` };
    await stores['Redis']?.rounds.commit(round, openingOf([end('e')]));
  }
  const command = ['archive', 'run', ...args, '--to', folder, '--key', key, '--once'];
  await expect(runOnFullDisk(2, command)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: The archive in .* cannot be written/),
  });
  expect(await archive(args, folder)).toMatchObject({ code: 0 });
  const verified = await runCli(['archive', 'verify', folder]);
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('23 events')]);
});

test('a key is rotated with a checkpoint of both, and replaced with a statement in the log', async () => {
  const args = await withThreeEvents();
  const folder = await temporaryFolder('archive');
  const keys = await temporaryFolder('archive');
  expect(await archive(args, folder)).toMatchObject({ code: 0 });
  const [second, third] = [join(keys, 'second'), join(keys, 'third')];
  const secondVkey = await newKey(second);
  await newKey(third);
  const change = ['archive', 'key', 'rotate', '--to', folder, '--key', key, '--new', second];
  expect(await runCli(change)).toMatchObject({ code: 0, stdout: `${secondVkey}\n` });
  expect((await archive(args, folder)).code).toBe(2);
  const run2 = ['archive', 'run', ...args, '--to', folder, '--key', second, '--once'];
  expect(await runCli(run2)).toMatchObject({ code: 0 });
  expect(await runCli(['archive', 'verify', folder, '--key', vkey])).toMatchObject({ code: 0 });
  const lost = ['archive', 'key', 'replace', '--to', folder, '--new', third, '--reason', 'lost'];
  const replaced = await runCli([...lost, '--json']);
  expect(JSON.parse(replaced.stdout)).toEqual({
    origin: 'casino.example/op',
    vkey: expect.stringMatching(/^casino\.example\/op\+/),
  });
  const verified = await runCli(['archive', 'verify', folder, '--key', vkey]);
  expect([verified.code, verified.stdout]).toEqual([
    1,
    expect.stringContaining('one that the former did not sign for'),
  ]);
});

test('an older copy that runs on with a former key is contradicted by the anchor, which keeps what it has', async () => {
  const args = await withThreeEvents();
  const folder = await temporaryFolder('archive');
  const [anchor, older] = [await temporaryFolder('anchor'), await temporaryFolder('older')];
  const next = join(await temporaryFolder('archive'), 'next');
  await newKey(next);
  const runOf = (to: string, by: string) =>
    runCli(['archive', 'run', ...args, '--to', to, '--key', by, '--anchor', anchor, '--once']);
  expect(await runOf(folder, key)).toMatchObject({ code: 0 });
  await cp(folder, older, { recursive: true });
  const change = ['archive', 'key', 'rotate', '--to', folder, '--key', key, '--new', next];
  expect(await runCli(change)).toMatchObject({ code: 0 });
  await addEvent(args, 'after the rotation');
  expect(await runOf(folder, next)).toMatchObject({ code: 0 });
  const before = await readFile(join(anchor, 'checkpoints'), 'utf8');
  expect(before).toContain('casino.example/op\n4\n');

  for (const round of ['forked', 'forked again']) await addEvent(args, round);
  const forked = await runOf(older, key);
  expect([forked.code, forked.stdout + forked.stderr]).toEqual([
    1,
    expect.stringContaining('an anchor contradicts the archive: one of them was rewritten'),
  ]);
  expect(await readFile(join(anchor, 'checkpoints'), 'utf8')).toBe(before);
  const verified = await runCli(['archive', 'verify', folder, '--key', vkey, '--anchor', anchor]);
  expect(verified).toMatchObject({ code: 0 });
});

test('a wrong key of the log is named as the flag that has it', async () => {
  const folder = await temporaryFolder('archive');
  expect(await archive(await withThreeEvents(), folder)).toMatchObject({ code: 0 });
  const refused = await runCli(['archive', 'verify', folder, '--key', 'garbage']);
  expect(refused).toMatchObject({
    code: 2,
    stderr: 'error: --key: the key is not name+id+base64\n',
  });
});

test.each([
  ['/dev/null', '/dev/null is not a folder: name one'],
  ['/dev/null/deeper', '/dev/null is not a folder: name one'],
  ['/proc/no-archive', '/proc/no-archive cannot be created: ENOENT'],
  ['/sys/kernel/no-archive', '/sys/kernel/no-archive cannot be created: E'],
])('a target that cannot be a folder is refused with the reason: %s', async (target, reason) => {
  const where = ['--store', redis.url, '--operator', 'op', '--to', target, '--key', key];
  const refused = await runCli(['archive', 'run', ...where]);
  expect(refused).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`error: --to: ${reason}`),
  });
  expect(refused.stderr.trim().split('\n')).toHaveLength(1);
});

test('the commands of docs/archive.md make a key, archive, and change the key', async () => {
  const args = await withThreeEvents();
  const place = await temporaryFolder('archive');
  const anchor = await temporaryFolder('anchor');
  const runBlock = (name: string, line: number, more: readonly string[] = []) => {
    const command = blockOf('docs/archive.md', name).code.split('\n')[line] ?? '';
    const [, ...words] = command.replace(/ *#.*/, '').match(/"[^"]*"|\S+/g) ?? [];
    const given = words.map((word) =>
      word
        .replaceAll('"', '')
        .replace(/^(?:archive|next)\.key$/, `${place}/$&`)
        .replace('/srv/archive', join(place, 'kept'))
        .replace('/mnt/anchor', anchor)
        .replace('my-casino', (id) => (word === id ? (args.at(-1) ?? '') : id)),
    );
    return runCli([...given, ...more]);
  };
  const made = await runBlock('archive-run', 0);
  expect(made.stdout).toMatch(/^casino\.example\/my-casino\+[0-9a-f]{8}\+\S+\n$/);
  expect(await runBlock('archive-run', 1, [...args.slice(0, 2), '--once'])).toMatchObject({
    code: 0,
  });
  expect(await readFile(join(anchor, 'checkpoints'), 'utf8')).toContain('my-casino\n3\n');
  const next = [
    'key',
    'new',
    '--out',
    join(place, 'next.key'),
    '--origin',
    'casino.example/my-casino',
  ];
  expect(await runCli(['archive', ...next])).toMatchObject({ code: 0 });
  expect(await runBlock('archive-keys', 0)).toMatchObject({ code: 0 });
  const again = await runBlock('archive-keys', 1);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('has the key') });
});
