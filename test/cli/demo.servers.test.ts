import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { withRedis } from '../servers/redis/client';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { type CliResult, runCli, temporaryFile } from './cli';

const DIST = join(__dirname, '../../dist');

/** The books as the demo printed them; amounts are whole numbers. */
interface PrintedBooks {
  readonly start: number;
  readonly movements: readonly { readonly label: string; readonly effect: number }[];
  readonly ends: readonly number[];
}

function readBooks(stdout: string): PrintedBooks {
  const [, text = ''] = stdout.split('\nThe books, in EUR\n');
  const lines = (text.split('\n\n')[0] ?? '').split('\n').map((line) => line.trim());
  const startAt = lines.findIndex((line) => line.startsWith('start'));
  const endAt = lines.findIndex((line) => line.startsWith('end'));
  const movements = lines.slice(startAt + 1, endAt);
  return {
    start: amountOf(lines[startAt] ?? ''),
    movements: movements.map((line) => ({
      label: line.replace(/\s+\S+$/, '').replace(/\s+/g, ' '),
      effect: amountOf(line),
    })),
    ends: lines.slice(endAt, endAt + 4).map(amountOf),
  };
}

function amountOf(line: string): number {
  const [amount = ''] = line.split(/\s+/).slice(-1);
  expect(amount).toMatch(/^[+\u2212]?[\d,]+\.\d\d$/);
  return Number(amount.replaceAll(',', '').replace('\u2212', '-'));
}

/** The lines of one scene, without its title. */
function sceneOf(stdout: string, title: RegExp): string[] {
  const scene = stdout.split('\n\n').find((part) => title.test(part)) ?? '';
  return scene
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
}

function playerOf(stdout: string): string {
  return /^Player (\S+) starts with 1,000\.00 EUR\.$/m.exec(stdout)?.[1] ?? '';
}

describe('on the memory store', () => {
  let result: CliResult;

  beforeAll(async () => {
    result = await runCli(['demo']);
  });

  test('the demo ends with 0, and its books balance', () => {
    const { code, stdout, stderr } = result;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('\nThe books balance.\n');
    expect(stdout).toMatch(/\nThe three books agree\.\n$/);
    expect(stdout).toMatch(/^A wallet on http:\/\/127\.0\.0\.1:\d+, its store memory:\.\n/);
  });

  test('the printed movements lead from the start to the end, on which all four agree', () => {
    const { start, movements, ends } = readBooks(result.stdout);
    expect(movements).toEqual([
      { label: '1. debit 100.00', effect: -100 },
      { label: '1. credit 250.00', effect: 250 },
      { label: '2. debit 50.00', effect: -50 },
      { label: '2. credit 80.00', effect: 80 },
      { label: '3. debit 40.00 refused (9003)', effect: 0 },
      { label: '4. debit 5,000.00 refused (9001)', effect: 0 },
      { label: '4. credit 9,000.00 refused (9004)', effect: 0 },
      { label: '5. debit 30.00', effect: -30 },
      { label: '5. credit 75.00 refused (9002)', effect: 0 },
      { label: '6. debit 0.00', effect: 0 },
      { label: '6. credit 40.00', effect: 40 },
      { label: '7. debit 60.00 voided', effect: 0 },
      { label: '8. debit 20.00', effect: -20 },
      { label: '8. debit 30.00 voided', effect: 0 },
      { label: '8. credit 90.00 dropped', effect: 0 },
    ]);
    const end = start + movements.reduce((sum, { effect }) => sum + effect, 0);
    expect(ends).toEqual([end, end, end, end]);
  });

  test('one round goes all the way from the game to the wallet, and three books have its win', () => {
    const [, whole = ''] = result.stdout.split('One round all the way');
    const calls = whole.split('\n').flatMap((line) => /\w+->\w+ +\w+/.exec(line)?.[0] ?? []);
    expect(calls.map((call) => call.replace(/ +/, ' '))).toEqual(
      expect.arrayContaining([
        'casino->rgs getGameURL',
        'game->rgs startGameRound',
        'game->rgs addWin',
        'rgs->wallet doTransactions',
      ]),
    );
    const ends =
      /start +([\d,]+\.00)\n +end +by the wallet +([\d,]+\.00)\n +by the RGS +([\d,]+\.00)\n +by the game +([\d,]+\.00)/;
    const [start = 0, ...balances] = (ends.exec(whole)?.slice(1) ?? []).map(amountOf);
    expect(start).toBe(readBooks(result.stdout).ends[0]);
    // A number of the wire is the same amount here and in the scenes (E4.1).
    expect(whole).toContain('  stake 1.00 EUR; open\n');
    expect(balances).toEqual(Array(3).fill(start - 1 + 18));
  });

  test.each<[string, RegExp, string[]]>([
    [
      'a lost reply',
      /A reply is lost/,
      [
        '-> debit 50.00 EUR',
        '<- 200 debit processed; balance 1,100.00 EUR',
        '-> credit 80.00 EUR, end   (the wallet answers, and the network loses it)',
        '<- no reply: the connection broke',
        '-> credit 80.00 EUR, end   (again, with the same hashes)',
        '<- 200 credit processed; end processed; balance 1,180.00 EUR',
        '== the round is closed: debits 50.00 EUR, credits 80.00 EUR',
      ],
    ],
    [
      'an early void',
      /A void comes before/,
      [
        '-> void 40.00 EUR',
        '<- 200 void processed; balance 1,180.00 EUR',
        '-> debit 40.00 EUR   (late)',
        '<- 400 debit refused, 9003: The gameround or the debit was voided; balance 1,180.00 EUR',
        '== the round is voided: debits 0.00 EUR, credits 0.00 EUR',
      ],
    ],
    [
      'a silent store',
      /The store falls silent/,
      [
        '-> debit 60.00 EUR   (the store takes it, and its answer does not arrive)',
        '<- 503 debit not answered; 9007: The outcome is unknown; nothing was refused',
        '== the round is cancelled: debits 60.00 EUR, credits 0.00 EUR',
        '-> void 60.00 EUR',
        '<- 200 void processed; balance 1,190.00 EUR',
        '== the round is voided: debits 0.00 EUR, credits 0.00 EUR',
      ],
    ],
    [
      'a win that is voided with its debit',
      /A reply to a debit and its win is lost/,
      [
        '-> debit 20.00 EUR',
        '<- 200 debit processed; balance 1,170.00 EUR',
        '-> follow-up debit 30.00 EUR, credit 90.00 EUR, end   (the wallet answers, and the network loses it)',
        '<- no reply: the connection broke',
        '-> void 30.00 EUR   (the RGS drops the win and the end)',
        '<- 200 void processed; balance 1,170.00 EUR',
        '== the round is open: debits 20.00 EUR, credits 0.00 EUR',
        '-> end',
        '<- 200 end processed; balance 1,170.00 EUR',
        '== the round is closed: debits 20.00 EUR, credits 0.00 EUR',
      ],
    ],
  ])('the scene of %s tells each call and its answer', (_, title, lines) => {
    expect(sceneOf(result.stdout, title)).toEqual(lines);
  });

  test('a store without decimals will do', async () => {
    expect(await runCli(['demo', '--decimals', '0'])).toMatchObject({ code: 0 });
  });
});

describe('on Redis', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis({ config: { appendfsync: 'everysec' } });
  });

  afterAll(() => redis.stop());

  test('the demo can be played again, each time with another player, and warns of what is at stake', async () => {
    const args = ['demo', '--store', redis.url, '--init', '--accept-loss', '--namespace', 'mine'];
    const [first, second] = [await runCli(args), await runCli(args)];
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(playerOf(first.stdout)).not.toBe(playerOf(second.stdout));
    expect(first.stdout).toContain('Warning: appendonly must be yes and appendfsync always');
    for (const { stdout } of [first, second]) {
      expect(
        await withRedis(redis, (client) => client.keys(`mine:*:p:${playerOf(stdout)}`)),
      ).toHaveLength(1);
      expect(readBooks(stdout).ends).toEqual([1170, 1170, 1170, 1170]);
    }
  });
});

/** Plays the demo over a memory store one of whose methods is broken. */
async function playOver(broken: string): Promise<CliResult> {
  const breaking = await temporaryFile(
    'break.js',
    `const module_ = require(${JSON.stringify(join(DIST, 'operator/stores/memory/store.js'))});
     const create = module_.createMemoryStore;
     module_.createMemoryStore = (options) => {
       const store = create(options);
       ${broken}
       return store;
     };`,
  );
  return runCli(['demo'], { env: { NODE_OPTIONS: `--require ${breaking}` } });
}

describe('books that do not balance end with 1, and say where', () => {
  test('a store that pays a credit twice', async () => {
    const { code, stdout } = await playOver(`
      const commit = store.rounds.commit.bind(store.rounds);
      store.rounds.commit = (round, change) => commit(round, { ...change, movements: change.movements.flatMap(
        (movement) => movement.kind === 'give' ? [movement, movement] : [movement]) });`);
    expect(code).toBe(1);
    expect(stdout).toContain('The account has another balance than the answers.');
    expect(stdout).toContain('getBalance shows another balance than the answers.');
    expect(stdout).toContain('\nThe books do NOT balance.\n');
    expect(stdout).toMatch(/\nThe three books do NOT agree\.\n$/);
    expect(new Set(readBooks(stdout).ends)).toEqual(new Set([1170, 1630]));
  });

  test('a store that keeps a round otherwise than it was answered', async () => {
    const { code, stdout } = await playOver(`
      const readRound = store.rounds.readRound.bind(store.rounds);
      store.rounds.readRound = async (round) => {
        const report = await readRound(round);
        const head = { ...report.head, credits: { real: report.head.credits.real + 1n, bonus: 0n } };
        return { ...report, head };
      };`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/The store.s records of round \S+ differ from the answers\./);
    expect(stdout).toContain('The rounds add up to another balance than the answers.');
  });

  test('an unreachable store is reported in one line', async () => {
    const { code, stderr } = await playOver(`
      store.players.openPlayer = async () => ({ kind: 'unknown', cause: new Error('nobody there') });`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: nobody there\n' });
  });
});
