import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { reapWithThisProcess } from '../servers/reaper';
import { loseReply, refuse, times } from '../rgs/load/faults';
import { RgsService } from '../rgs/load/service';
import { built } from '../support/built';

const ROOT = join(__dirname, '../..');
const OPERATOR = { OPERATOR_ID: 'casino', OPERATOR_SECRET: 'a-secret-of-the-examples' };
let service: RgsService;

beforeAll(() => void built());

beforeEach(async () => {
  const { OPERATOR_ID: operatorId, OPERATOR_SECRET: secret } = OPERATOR;
  service = await RgsService.start({ operatorId, secret });
});

afterEach(() => service.close());

/** Runs an example over the service, and resolves to how it ended. */
async function run(name: string, env: Readonly<Record<string, string>> = {}): Promise<object> {
  const child = spawn(process.execPath, [join(ROOT, 'examples', name)], {
    env: { ...OPERATOR, RGS_URL: service.url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  reapWithThisProcess(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (bytes: Buffer) => (stdout += bytes.toString('utf8')));
  child.stderr.on('data', (bytes: Buffer) => (stderr += bytes.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, lines: stdout.split('\n').slice(0, -1), stderr };
}

describe('free-plays-on-deposit', () => {
  const granted = {
    code: 0,
    lines: [
      'deposit psp-7781: balance 25',
      'free plays deposit-psp-7781: 10, 0 used',
      'deposit psp-7781: balance 25',
      'free plays deposit-psp-7781: 10, 0 used',
    ],
    stderr: '',
  };

  test('grants one package for a deposit that is reported twice', async () => {
    expect(await run('free-plays-on-deposit.mjs')).toEqual(granted);
    expect([service.packages.size, service.packages.assignments]).toEqual([1, 2]);
    expect(service.packages.get('deposit-psp-7781')).toMatchObject({
      playerId: 'ann',
      gameCode: 'bells',
      stake: '0.50',
      count: 10,
    });
  });

  test('grants one package where replies are lost, and where it runs again', async () => {
    service.failNext(times(2, loseReply));
    expect(await run('free-plays-on-deposit.mjs')).toEqual(granted);
    expect(await run('free-plays-on-deposit.mjs')).toEqual(granted);
    expect([service.packages.size, service.packages.assignments]).toEqual([1, 6]);
  });

  test('grants nothing for less than 20', async () => {
    const lines = Array.from({ length: 2 }, () => 'deposit psp-1: balance 19.99');
    const env = { REFERENCE: 'psp-1', AMOUNT: '19.99' };
    expect(await run('free-plays-on-deposit.mjs', env)).toEqual({ code: 0, lines, stderr: '' });
    expect(service.requests).toEqual([]);
  });

  test('tells what the service refuses, the deposit being made', async () => {
    service.failNext(refuse(400, 19, 'no such game'));
    expect(await run('free-plays-on-deposit.mjs')).toEqual({
      code: 1,
      lines: ['deposit psp-7781: balance 25'],
      stderr:
        'SERVICE_ERROR: assignPlayerFreerounds: the service answered 400, error 19: no such game\n',
    });
  });
});

describe('daily-statistics', () => {
  test('asks for the day and adds it up by currency, exactly', async () => {
    service.replies.getStats =
      '{"records":[{"DAY":"2026-03-01","currency":"EUR","games":3,"bet":"9007199254.10","win":"0.20"},' +
      '{"DAY":"2026-03-01","currency":"EUR","games":1,"bet":"0.2","win":"9007199253.0"},' +
      '{"DAY":"2026-03-01","currency":"SEK","games":2,"bet":"3","win":"1"}]}';
    expect(await run('daily-statistics.mjs', { DAY: '2026-03-01' })).toEqual({
      code: 0,
      lines: [
        '2026-03-01:',
        'EUR: 4 games, staked 9007199254.3, paid 9007199253.2, RTP 99.99 %',
        'SEK: 2 games, staked 3, paid 1, RTP 33.33 %',
      ],
      stderr: '',
    });
    expect(service.requests.map(({ body }) => body)).toEqual([
      '{"filterBy":{"dateFrom":"2026-03-01","dateToIncluding":"2026-03-01"}}',
    ]);
  });

  test('asks for yesterday unless a day is given, and says so if nothing was played', async () => {
    const days = [Date.now(), Date.now() + 60_000].map((at) =>
      new Date(at - 86_400_000).toISOString().slice(0, 10),
    );
    const { lines } = (await run('daily-statistics.mjs')) as { lines: string[] };
    expect(days.map((day) => `${day}: nothing was played`)).toContain(lines.join());
  });
});
