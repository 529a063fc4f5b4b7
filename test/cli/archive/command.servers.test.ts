import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { openBatchText } from '../../../lib/cli/archive/open-file';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { FullStore, RoundEvent } from '../../../lib/operator/wallet';
import { end, openingOf, take } from '../../../lib/proof/contracts/changes';
import { reapWithThisProcess, temporaryFolder } from '../../servers/reaper';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { until } from '../../servers/until';
import { built } from '../../support/built';
import { patience } from '../../support/patience';
import { MAIN, runCli, start } from '../cli';
import { openQuietly } from '../../support/open-quietly';

const run = promisify(execFile);
let redis: RedisServer;
let postgres: PostgresServer;
let addresses: Readonly<Record<string, string>>;
let stores: Readonly<Record<string, FullStore>>;
let operators = 0;

beforeAll(async () => {
  redis = await startRedis();
  postgres = await startPostgres();
  addresses = { Redis: redis.url, PostgreSQL: await postgres.createDatabase() };
  const options = { events: ['archive'], ...patience };
  stores = {
    Redis: createRedisStore({ url: redis.url, init: true, ...options }),
    PostgreSQL: createPostgresStore({
      url: addresses['PostgreSQL'] ?? '',
      init: true,
      ...options,
    }),
  };
  for (const store of Object.values(stores)) await store.ready();
});

afterAll(async () => {
  for (const store of Object.values(stores)) await store.close();
  await redis.stop();
  await postgres.stop();
});

describe.each(['Redis', 'PostgreSQL'])('events archive of %s', (name) => {
  async function withTwoEvents(): Promise<string[]> {
    const operatorId = `op-${operators++}`;
    const round = { operatorId, playerId: 'p', gameRound: 'r' };
    const store = stores[name] as FullStore;
    await openQuietly(store, { ...round, currency: 'EUR', balances: { real: '5' } });
    await store.rounds.commit(round, openingOf([take('d', 10_000n)]));
    await store.rounds.commit({ ...round, gameRound: 's' }, openingOf([end('e')]));
    return ['events', 'archive', '--store', addresses[name] ?? '', '--operator', operatorId];
  }

  test('keeps each event once, and verifies it; a second run adds nothing', async () => {
    const args = await withTwoEvents();
    const folder = join(await temporaryFolder('archive'), 'made');
    for (let time = 0; time < 2; time++) {
      expect(await runCli([...args, '--to', folder, '--once'])).toMatchObject({
        code: 0,
        stderr: '',
      });
    }
    const [file = ''] = (await readdir(folder)).filter((one) => one.endsWith('.open'));
    const lines = (await readFile(join(folder, file), 'utf8')).trim().split('\n');
    const events = lines.slice(0, 2).map((line) => JSON.parse(line) as RoundEvent);
    expect(events.map(({ gameRound }) => gameRound)).toEqual(['r', 's']);
    expect(await runCli(['events', 'archive', '--verify', folder])).toEqual({
      code: 0,
      stdout: '0 files, 0 events, 2 in hours that are still open: the archive is whole.\n',
      stderr: '',
    });
    expect(await readdir(folder)).not.toContain('archive.lock');
  });

  test('a second archive of the folder is refused; a signal ends the first with 0', async () => {
    const args = await withTwoEvents();
    const folder = await temporaryFolder('archive');
    const child = start([...args, '--to', folder], {}, MAIN);
    const ended = new Promise((resolve) => child.once('close', resolve));
    await until('the first to write', async () =>
      (await readdir(folder)).some((one) => one.endsWith('.open')),
    );
    const second = await runCli([...args, '--to', folder, '--once']);
    expect([second.code, second.stderr]).toEqual([
      2,
      expect.stringMatching(/^error: Process \d+ on .* archives into this folder/),
    ]);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(await runCli([...args, '--to', folder, '--once'])).toMatchObject({ code: 0 });
  });

  test('a folder that cannot be written is exit code 2, and nothing is acknowledged', async () => {
    const args = await withTwoEvents();
    const place = join(await temporaryFolder('archive'), 'file');
    await writeFile(place, '');
    const refused = await runCli([...args, '--to', place, '--once']);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      `error: --to: ${place} is not a folder: name one, or a path that does not exist.\n`,
    ]);
    expect(await runCli([...args, '--once'])).toMatchObject({
      code: 2,
      stderr: 'error: --to is missing.\n',
    });
    const lag = await runCli(args.map((word) => (word === 'archive' ? 'lag' : word)));
    expect(JSON.parse(lag.stdout)).toMatchObject({ consumer: 'archive', waiting: 2 });
  });

  test('a full disk is exit code 2, and with room again each event is there once', async () => {
    const args = await withTwoEvents();
    const folder = await temporaryFolder('archive');
    // A limit of the size of files stops a write midway, as a full disk does.
    const limited = [
      '-c',
      `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`,
      process.execPath,
      built('cli/main.js'),
    ];
    const { PATH = '' } = process.env;
    const events = Array.from({ length: 20 }, (_, at) => ({
      playerId: 'p',
      gameRound: `more-${at}`,
    }));
    const operatorId = args.at(-1) ?? '';
    for (const round of events) {
      await stores[name]?.rounds.commit({ operatorId, ...round }, openingOf([end('e')]));
    }
    const full = run('sh', [...limited, ...args, '--to', folder, '--once'], { env: { PATH } });
    reapWithThisProcess(full.child);
    await expect(full).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: The archive in .* cannot be written/),
    });
    expect(await runCli([...args, '--to', folder, '--once'])).toMatchObject({ code: 0 });
    const { stdout } = await runCli(['events', 'archive', '--verify', folder]);
    expect(stdout).toBe(
      '0 files, 0 events, 22 in hours that are still open: the archive is whole.\n',
    );
  });

  test('a sealed hour is one that sha256sum and zcat read, and a damaged one is named', async () => {
    const args = await withTwoEvents();
    const folder = await temporaryFolder('archive');
    // What an archive that was killed three hours ago left.
    const hour = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 13);
    expect(await runCli([...args, '--to', folder, '--once'])).toMatchObject({ code: 0 });
    const [now = ''] = (await readdir(folder)).filter((one) => one.endsWith('.open'));
    const text = (await readFile(join(folder, now), 'utf8')).replaceAll(now.slice(0, 13), hour);
    const [first = '', second = ''] = text.split('\n');
    await writeFile(join(folder, `${hour}.open`), openBatchText([first, second]));
    expect(await runCli([...args, '--to', folder, '--once'])).toMatchObject({ code: 0 });
    const sums = await run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder });
    expect(sums.stdout).toBe(`${hour}.jsonl.gz: OK\n`);
    const { stdout } = await run('zcat', [join(folder, `${hour}.jsonl.gz`)]);
    expect(stdout).toBe(`${first}\n${second}\n`);
    const file = await open(join(folder, `${hour}.jsonl.gz`), 'r+');
    await file.write(Buffer.from([0xff, 0xff]), 0, 2, 60);
    await file.close();
    const verified = await runCli(['events', 'archive', '--verify', folder]);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toMatch(new RegExp(`^${hour}\\.jsonl\\.gz (?:line \\d: |is not)`));
  });
});

test.each([
  ['/dev/null', '/dev/null is not a folder: name one'],
  ['/dev/null/deeper', '/dev/null is not a folder: name one'],
  ['/proc/no-archive', '/proc/no-archive cannot be created: ENOENT'],
  ['/proc/no-archive/deeper', '/proc/no-archive cannot be created: ENOENT'],
  ['/sys/kernel/no-archive', '/sys/kernel/no-archive cannot be created: E'],
])('a target that cannot be a folder is refused with the reason: %s', async (target, reason) => {
  const args = ['events', 'archive', '--store', redis.url, '--operator', 'op', '--to', target];
  const refused = await runCli(args);
  expect(refused).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`error: --to: ${reason}`),
  });
  expect(refused.stderr.trim().split('\n')).toHaveLength(1);
});

test('a second signal ends an archive whose disk stands still', async () => {
  const folder = await temporaryFolder('archive');
  // Nobody writes into it: to read it takes for ever.
  await run('mkfifo', [join(folder, 'archive.json')]);
  const args = ['events', 'archive', '--store', redis.url, '--operator', 'op', '--to', folder];
  const child = start(args, {}, MAIN);
  const ended = new Promise((resolve) => {
    child.once('close', (code, signal) => resolve([code, signal]));
  });
  await until('the lock', async () => (await readdir(folder)).includes('archive.lock'));
  child.kill('SIGINT');
  child.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
});

test('verifying a folder that is no archive is exit code 2', async () => {
  const folder = await temporaryFolder('archive');
  const found = await runCli(['events', 'archive', '--verify', folder]);
  expect([found.code, found.stderr]).toEqual([2, expect.stringContaining('is no archive')]);
  const missing = await runCli(['events', 'archive', '--verify', join(folder, 'none')]);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('--verify: ENOENT')]);
});
