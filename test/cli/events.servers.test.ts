import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { createPostgresStore } from '../../lib/operator/stores/postgres';
import { createRedisStore } from '../../lib/operator/stores/redis';
import type { FullStore, RoundEvent } from '../../lib/operator/wallet';
import { end, openingOf, take } from '../../lib/proof/contracts/changes';
import { Cleanup } from '../servers/cleanup';
import { type PostgresServer, startPostgres } from '../servers/postgres/server';
import { temporaryFolder } from '../servers/reaper';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import { type CliResult, MAIN, runCli, start } from './cli';
import { openQuietly } from '../support/open-quietly';
import { stopServer } from '../network/listening';

const cleanup = new Cleanup();
const secret = Buffer.alloc(32, 7);
const noneWaits = 'no event of this operator waits';
let redis: RedisServer;
let postgres: PostgresServer;
let addresses: Readonly<Record<string, string>>;
let stores: Readonly<Record<string, FullStore>>;
let secretFile: string;
let operators = 0;

beforeAll(async () => {
  redis = await startRedis();
  postgres = await startPostgres();
  addresses = { Redis: redis.url, PostgreSQL: await postgres.createDatabase() };
  const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const events = ['bridge', 'other'];
  stores = {
    Redis: createRedisStore({ url: redis.url, init: true, events, ...patience }),
    PostgreSQL: createPostgresStore({
      url: addresses['PostgreSQL'] ?? '',
      init: true,
      events,
      ...patience,
    }),
  };
  for (const store of Object.values(stores)) await store.ready();
  secretFile = join(await temporaryFolder('secret'), 'secret');
  await writeFile(secretFile, `whsec_${secret.toString('base64')}\n`);
});

afterAll(async () => {
  await cleanup.run();
  for (const store of Object.values(stores)) await store.close();
  await redis.stop();
  await postgres.stop();
});

/** What a receiver got. */
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that answers with these statuses in turn, and 204 after them. */
async function startReceiver(statuses: number[]) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(statuses.shift() ?? 204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.after(server, stopServer);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

describe.each(['Redis', 'PostgreSQL'])('in %s', (name) => {
  async function withTwoEvents(): Promise<string> {
    const operatorId = `op-${operators++}`;
    const round = { operatorId, playerId: 'p', gameRound: 'r' };
    const store = stores[name] as FullStore;
    await openQuietly(store, { ...round, currency: 'EUR', balances: { real: '5' } });
    await store.rounds.commit(round, openingOf([take('d', 10_000n)]));
    await store.rounds.commit({ ...round, gameRound: 's' }, openingOf([end('e')]));
    return operatorId;
  }

  function run(operatorId: string, command: string, ...args: string[]): Promise<CliResult> {
    const where = ['--store', addresses[name] ?? '', '--operator', operatorId];
    return runCli(['events', command, ...where, ...args]);
  }

  async function waiting(operatorId: string): Promise<unknown[]> {
    const { stdout } = await run(operatorId, 'lag');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    return lines.map((line) => ({ ...line, oldest: undefined }));
  }

  test('tail prints each event once, as a line of JSON, and lag counts what is left', async () => {
    const operatorId = await withTwoEvents();
    expect(await waiting(operatorId)).toEqual([
      { consumer: 'bridge', waiting: 2 },
      { consumer: 'other', waiting: 2 },
    ]);
    const tail = () => run(operatorId, 'tail', '--consumer', 'bridge', '--once');
    const { code, stdout, stderr } = await tail();
    expect([code, stderr]).toEqual([0, '']);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RoundEvent);
    expect(events.map(({ id }) => id)).toEqual([`${operatorId}/p/r/1`, `${operatorId}/p/s/1`]);
    expect(events[0]?.movements).toEqual([{ hash: 'd', currency: 'EUR', real: '-1', bonus: '0' }]);
    expect(await tail()).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await waiting(operatorId)).toEqual([
      { consumer: 'bridge', waiting: 0 },
      { consumer: 'other', waiting: 2 },
    ]);
  });

  test('deliver posts signed events, sends what was refused again, and acknowledges what was accepted', async () => {
    const operatorId = await withTwoEvents();
    const { url, received } = await startReceiver([500, 503]);
    const args = ['--consumer', 'bridge', '--to', url, '--secret-file', secretFile, '--once'];
    const { code, stderr } = await run(operatorId, 'deliver', ...args, '--retry-first-ms', '5');
    expect([code, stderr]).toEqual([0, '']);
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const { headers, body } of received) {
      const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
      const mac = createHmac('sha256', secret).update(signed).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${mac}`);
    }
    const { data } = JSON.parse(received[0]?.body ?? '') as { data: { events: RoundEvent[] } };
    expect(data.events.map(({ gameRound }) => gameRound)).toEqual(['r', 's']);
    expect((await waiting(operatorId))[0]).toEqual({ consumer: 'bridge', waiting: 0 });
  });

  test('after the longest pause deliver stops with 1, and nothing is skipped', async () => {
    const operatorId = await withTwoEvents();
    const { url, received } = await startReceiver(Array.from({ length: 9 }, () => 500));
    const args = ['--consumer', 'bridge', '--to', url, '--secret-file', secretFile, '--once'];
    const pauses = ['--retry-first-ms', '2', '--retry-longest-ms', '4'];
    const { code, stdout } = await run(operatorId, 'deliver', ...args, ...pauses);
    expect(code).toBe(1);
    expect(stdout).toContain('delivery stopped: events are kept');
    expect(received).toHaveLength(3);
    expect((await waiting(operatorId))[0]).toEqual({ consumer: 'bridge', waiting: 2 });
  });

  test('a consumer that nobody declared, a missing flag and a wrong secret are exit code 2', async () => {
    const operatorId = await withTwoEvents();
    const unknown = await run(operatorId, 'tail', '--consumer', 'nobody');
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^error: The consumer nobody is not declared in this store, which has bridge(, other)?: start the wallet with serve --events nobody\.\n$/,
      ),
    ]);
    expect(await run(operatorId, 'tail')).toMatchObject({
      code: 2,
      stderr: 'error: --consumer is missing.\n',
    });
    const args = [
      '--consumer',
      'bridge',
      '--to',
      'http://127.0.0.1:1',
      '--secret-file',
      __filename,
    ];
    const wrong = await run(operatorId, 'deliver', ...args);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--secret-file')]);
    expect(await run(operatorId, 'forget', '--consumer', 'nobody')).toMatchObject({ code: 2 });
  });

  test('deliver posts to another machine over http only where that is allowed', async () => {
    const operatorId = await withTwoEvents();
    const to = (url: string, ...more: string[]) =>
      run(
        operatorId,
        'deliver',
        '--consumer',
        'bridge',
        '--to',
        url,
        ...more,
        '--secret-file',
        secretFile,
        '--once',
        '--retry-first-ms',
        '1',
        '--retry-longest-ms',
        '1',
      );
    const refused = await to('http://bridge.invalid/hook');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/^error: --to must begin with https:.*--allow-plain-http/),
    ]);
    const allowed = await to('http://bridge.invalid/hook', '--allow-plain-http');
    expect([allowed.code, allowed.stderr]).toEqual([1, '']);
    expect(allowed.stdout).toContain('delivery stopped: events are kept');
  });

  test('an operator of whom nothing waits is named, for it may be misspelt', async () => {
    const nothing =
      'No event of operator misspelt waits for a consumer: all are read, or the store has none of this operator.';
    const lag = await run('misspelt', 'lag');
    expect([lag.code, lag.stderr]).toEqual([0, `${nothing}\n`]);
    expect(lag.stdout.trim().split('\n')).toHaveLength(2);
    expect(await run('misspelt', 'tail', '--consumer', 'bridge', '--once')).toEqual({
      code: 0,
      stdout: '',
      stderr: `${nothing}\n`,
    });
    const args = ['--consumer', 'bridge', '--to', 'http://127.0.0.1:1', '--secret-file'];
    const delivered = await run('misspelt', 'deliver', ...args, secretFile, '--once');
    expect([delivered.code, JSON.parse(delivered.stdout)]).toEqual([
      0,
      expect.objectContaining({ operatorId: 'misspelt', consumer: 'bridge', msg: noneWaits }),
    ]);
  });

  test.each(['tail', 'deliver'])(
    '%s that finds nothing says for whom it waits',
    async (command) => {
      const args = ['--operator', 'misspelt', '--consumer', 'bridge'];
      const to = ['--to', 'http://127.0.0.1:1', '--secret-file', secretFile];
      const where = ['--store', addresses[name] ?? '', ...(command === 'tail' ? [] : to)];
      const child = start(['events', command, ...args, ...where], {}, MAIN);
      let output = '';
      const note = (chunk: Buffer): void => void (output += chunk.toString());
      child.stdout?.on('data', note);
      child.stderr?.on('data', note);
      const ended = once(child, 'close');
      await until('the line', () => output.includes('\n'));
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      if (command === 'tail') {
        expect(output).toBe(
          'No event of operator misspelt waits for consumer bridge: waiting for new ones.\n',
        );
      } else {
        expect(JSON.parse(output)).toMatchObject({
          operatorId: 'misspelt',
          consumer: 'bridge',
          msg: `${noneWaits}: waiting for new ones`,
        });
      }
    },
  );

  test('a signal ends tail, also while nobody reads what it prints; nothing of that is acknowledged', async () => {
    const operatorId = await withTwoEvents();
    const store = stores[name] as FullStore;
    // More than a pipe takes.
    const records = Array.from({ length: 300 }, (_, at) => take(`${'d'.repeat(100)}-${at}`, 1n));
    for (let at = 0; at < 12; at++) {
      const round = { operatorId, playerId: 'p', gameRound: `long-${at}` };
      await store.rounds.commit(round, openingOf(records));
    }
    const args = ['--store', addresses[name] ?? '', '--operator', operatorId];
    const child = start(['events', 'tail', ...args, '--consumer', 'bridge'], {}, MAIN);
    const ended = once(child, 'close');
    if (child.stdout) await once(child.stdout, 'readable');
    child.kill('SIGINT');
    const [code] = (await ended) as [number | null];
    expect(code).toBe(0);
    expect((await waiting(operatorId))[0]).toEqual({ consumer: 'bridge', waiting: 14 });
  });

  test('an address with a user and a password is refused, and the password is not printed', async () => {
    const operatorId = await withTwoEvents();
    const to = ['--to', 'http://receiver:hidden@127.0.0.1:1/events'];
    const args = ['--consumer', 'bridge', ...to, '--secret-file', secretFile];
    const { code, stderr } = await run(operatorId, 'deliver', ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--to takes no user and password')]);
    expect(stderr).not.toContain('hidden');
  });

  test('forget takes the declaration back', async () => {
    const operatorId = await withTwoEvents();
    expect(await run(operatorId, 'forget', '--consumer', 'other')).toEqual({
      code: 0,
      stdout: 'The consumer other is forgotten.\n',
      stderr: '',
    });
    expect(await waiting(operatorId)).toEqual([{ consumer: 'bridge', waiting: 2 }]);
    const told = await run(operatorId, 'forget', '--consumer', 'bridge', '--json');
    expect(told).toEqual({ code: 0, stdout: '{"forgotten":"bridge"}\n', stderr: '' });
  });
});

test('lag says that no consumer is declared where none is', async () => {
  const empty = await startRedis();
  cleanup.after(empty);
  const where = ['--store', empty.url, '--operator', 'op', '--init'];
  expect(await runCli(['events', 'lag', ...where])).toEqual({
    code: 0,
    stdout: '',
    stderr:
      'No consumer of events is declared in this store, so its wallet writes none: start it with serve --events NAME.\n',
  });
});

test('a missing operator and a missing store name the flag and the variable', async () => {
  expect(await runCli(['events', 'lag'])).toMatchObject({
    code: 2,
    stderr: 'error: No operator: name one with --operator or OPERATOR_ID.\n',
  });
  expect(await runCli(['events', 'lag', '--operator', 'op'])).toMatchObject({
    code: 2,
    stderr: 'error: No store: name one with --store or WALLET_STORE.\n',
  });
});
