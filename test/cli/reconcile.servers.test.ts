import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir } from 'node:fs/promises';

import { afterEach, describe, expect, test } from '@jest/globals';

import { createMemoryStore, createOperatorHandler } from '../../lib/index';
import { systemClock } from '../../lib/platform';
import { createGameEngineClient } from '../../lib/provider';
import {
  eventLines,
  exportMap,
  exportOf,
  type History,
  randomHistory,
} from '../operator/reconciliation/histories';
import { Cleanup } from '../servers/cleanup';
import { temporaryFolder } from '../servers/reaper';
import { runCli, runProcess, SECRET, OPERATOR, OPERATOR_ID, signer, temporaryFile } from './cli';
import { startSandbox, type StartedSandbox } from './sandbox-rig';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('reconcile against the sandbox', () => {
  test('what was really played is equal; a void that the wallet alone got exits with 1 and names the round', async () => {
    const wallet = await startWallet();
    const env = { OPERATOR_ID, OPERATOR_SECRET: SECRET };
    const sandbox = await startSandbox(['--wallet', wallet.url, '--seed', '7'], env);
    cleanup.after(sandbox, (one) => one.end());
    for (const name of ['spin', 'lost-win', 'void', 'blackjack', 'poor', 'gamble']) {
      expect([name, ((await sandbox.post('play', { name })) as { isOk: boolean }).isOk]).toEqual([
        name,
        true,
      ]);
    }
    const reconcile = async (key = 'game') => {
      const lines = await wallet.lines();
      const file = await temporaryFile('events.jsonl', lines.join('\n'));
      const days = lines
        .slice(1, -1)
        .map((line) => (JSON.parse(line) as { at: string }).at.slice(0, 10));
      const args = [
        '--events',
        file,
        '--from',
        days[0] ?? '',
        '--to',
        days.at(-1) ?? '',
        '--by-game',
        key,
      ];
      return runCli(['reconcile', ...args, '--zone', 'UTC'], {
        env: { ...OPERATOR, RGS_URL: `${sandbox.url}/operator` },
      });
    };
    const clean = await reconcile();
    expect([clean.code, clean.code === 0 ? '' : clean.stdout, clean.stderr]).toEqual([0, '', '']);
    expect(clean.stdout).toMatch(/Equal: \d cells? compared|Equal: \d+ compared/);
    const refused = await reconcile('no-such-key');
    expect([refused.code, refused.stderr]).toEqual([0, '']);
    expect(refused.stdout).toMatch(/Equal: 1 compared/);
    expect(refused.stdout).toContain(
      'note: --by-game no-such-key was refused, cells are of all games: The RGS was asked by getStats: getStats: the service answered 400, error 19: ',
    );
    const played = (await wallet.lines()).map((line) => JSON.parse(line) as Record<string, string>);
    const {
      gameRound = '',
      playerId = '',
      gameCode = '',
    } = played.filter(({ state }) => state === 'closed').at(-1) ?? {};
    await wallet.send(playerId, gameRound, gameCode);
    const voided = await reconcile();
    expect(voided.code).toBe(1);
    expect(voided.stdout).toContain(`round ${gameRound} of ${playerId} (voided here)`);
    await wallet.send(playerId, 'never-played', gameCode);
    expect((await reconcile()).stdout).toContain(
      `note: void without debit: round never-played of ${playerId} (void of never-played at `,
    );
  });
});

describe('reconcile against a sandbox that counts in another way finds the way', () => {
  const provider = { PROVIDER_ID: 'studio-1', PROVIDER_SECRET: 'hush-hush-provider-secret' };
  const nextHour = Math.ceil(Date.now() / hourMs) * hourMs;
  /** In each of these zones a day ends while another of three rounds is open. */
  const zones = [2, 5, 8].map((hours) => zoneWithMidnight(nextHour + hours * hourMs));

  test.each([
    ['end', 'dated', 'won', zones[0] ?? ''],
    ['start', 'dated', 'voided', zones[1] ?? ''],
  ])(
    'by %s, voids %s, in a zone where midnight is in the round that is %s',
    async (by, voids, _, zone) => {
      const wallet = await startWallet();
      const env = { OPERATOR_ID, OPERATOR_SECRET: SECRET, ...provider };
      const flags = ['--stats-by', by, '--stats-zone', zone, '--stats-voids', voids];
      const sandbox = await startSandbox(['--wallet', wallet.url, ...flags], env);
      cleanup.after(sandbox, (one) => one.end());
      const advance = async (ms: number) => {
        wallet.advance(ms);
        await sandbox.post('clock', { advanceMs: ms });
      };
      await advance(nextHour + 600_000 - Date.now());
      for (const nth of [0, 1, 2]) await playRound(sandbox, nth, () => advance(1.5 * hourMs));
      const file = await temporaryFile('events.jsonl', (await wallet.lines()).join('\n'));
      const [from = '', to = ''] = [nextHour - dayMs, nextHour + 2 * dayMs].map((at) =>
        new Date(at).toISOString().slice(0, 10),
      );
      const tried = zones.flatMap((name) => ['--zone', name]);
      const { code, stdout, stderr } = await runCli(
        ['reconcile', '--events', file, '--from', from, '--to', to, ...tried],
        { env: { ...OPERATOR, RGS_URL: `${sandbox.url}/operator` } },
      );
      expect([code, code === 0 ? '' : stdout, stderr]).toEqual([0, '', '']);
      expect(stdout).toContain(`Days compared: 4, counted in ${zone}, by ${by}, voids ${voids}`);
      for (const name of ['zone', 'by', 'voids']) expect(stdout).not.toContain(`note: ${name}: `);
    },
  );

  /** Bets twice; the second bet is voided a step later, and the first round is won, the second one voided, the third one lost after another. */
  async function playRound(sandbox: StartedSandbox, nth: number, pass: () => Promise<void>) {
    const game = createGameEngineClient({
      gameProviderId: provider.PROVIDER_ID,
      secret: provider.PROVIDER_SECRET,
      baseUrl: `${sandbox.url}/gameapi/v2`,
    });
    const round = async () => ({ token: await connected(sandbox), gameRound: `round-${nth}` });
    const bet = async (key: string, debitAmount: bigint) => {
      const { token, gameRound } = await round();
      return game.startGameOrAddBet({
        token,
        rngResult: {},
        endGame: false,
        externalGameProviderRoundId: gameRound,
        debitInformation: {
          debitAmount,
          currency: 'EUR',
          externalGameProviderTransactionId: `${nth}-${key}`,
        },
      });
    };
    await bet('first', 100n + BigInt(nth));
    await bet('second', 50n);
    await pass();
    const second = { externalGameProviderTransactionId: `${nth}-second` };
    await game.voidGameRound({ ...(await round()), ...second });
    await pass();
    if (nth === 1) await game.voidGameRound(await round());
    else if (nth === 2) await game.endGameRound(await round());
    else await game.addWin({ ...(await round()), rngResult: { winAmount: 30n }, collect: true });
  }
});

describe('reconcile with an export', () => {
  const span = [Date.parse('2026-10-22T00:00:00Z'), Date.parse('2026-10-27T00:00:00Z')] as const;
  const frame = [span[0] - 3 * dayMs, span[1] + 5 * dayMs];
  const utc = { zone: 'UTC', by: 'end' } as const;
  const days = new Set(['2026-10-23', '2026-10-24']);

  async function run(
    history: History,
    text: string,
    more: readonly string[] = [],
    lines = eventLines(history, frame),
  ) {
    const events = await temporaryFile('events.jsonl', `${lines.join('\n')}\n`);
    const rows = await temporaryFile('export.csv', text);
    const map = await temporaryFile('map.json', exportMap);
    const period = ['--from', '2026-10-23', '--to', '2026-10-24', '--operator', 'casino'];
    const files = ['--events', events, '--export', rows, '--map', map];
    return runCli(['reconcile', ...period, ...files, ...more], { env: {} });
  }

  test('equal days exit with 0; nothing is left in the temporary folder', async () => {
    const history = randomHistory(1, 400, span);
    const folder = await temporaryFolder('spool');
    const events = await temporaryFile('events.jsonl', eventLines(history, frame).join('\n'));
    const rows = await temporaryFile('export.csv', exportOf(history, utc, days));
    const map = await temporaryFile('map.json', exportMap);
    const args = ['--events', events, '--export', rows, '--map', map, '--operator', 'casino'];
    const period = ['--from', '2026-10-23', '--to', '2026-10-24'];
    const result = await runProcess(['reconcile', ...args, ...period], { env: { TMPDIR: folder } });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/^Days compared: 2, counted in UTC, by end, voids restated/);
    expect(await readdir(folder)).toEqual([]);
  });

  test('a hostile round id is written to CSV so that a spreadsheet does not run it', async () => {
    const history = randomHistory(2, 50, span);
    const row = '=1+1,ann,bells,EUR,1.00,2.00,DONE,2026-10-23T12:00:00Z';
    const result = await run(history, `${exportOf(history, utc, days)}\n${row}`, ['--csv']);
    expect(result.code).toBe(1);
    expect(result.stdout).toContain(
      `2026-10-23,bells,EUR,unknown to the wallet,,'=1+1,ann,,,,,EUR,1,2,DONE\n`,
    );
  });

  test('--json has the verdict, the way to count and each round; control characters are never printed', async () => {
    const history = randomHistory(3, 50, span);
    const row = 'x\u001b[2J\u009b,ann,bells,EUR,1.00,2.00,DONE,2026-10-23T12:00:00Z';
    const text = `${exportOf(history, utc, days)}\n${row}`;
    const { code, stdout } = await run(history, text, ['--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'different',
      days: ['2026-10-23', '2026-10-24'],
      by: 'end',
      differences: [
        {
          day: '2026-10-23',
          game: 'bells',
          bet: '-1',
          win: '-2',
          rounds: [
            { kind: 'unknown to the wallet', round: 'x\u001b[2J\u009b', theirs: { win: '2' } },
          ],
        },
      ],
    });
    // oxlint-disable-next-line no-control-regex
    const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
    expect(stdout).not.toMatch(controls);
    expect((await run(history, text)).stdout).not.toMatch(controls);
  });

  test('days that the events do not cover are one line that names them, and exit code 2, whatever the export has of them', async () => {
    const history = randomHistory(4, 100, span);
    const lines = eventLines(history, frame).filter(
      (line) => (JSON.parse(line) as { at: string }).at < '2026-10-24T20',
    );
    for (const covered of [new Set(['2026-10-23']), days]) {
      const text = exportOf(history, utc, covered);
      const { code, stdout, stderr } = await run(history, text, ['--zone', 'UTC'], lines);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(
        /^error: Cannot compare: 2026-10-24 is not complete: the events end at 2026-10-24T1.*\n$/,
      );
    }
  });

  test.each([
    [
      ['--zone', 'Europe/Atlantis'],
      '--zone: the time zone is not known: name one such as Europe/Malta.',
    ],
    [['--to', '2026-10-01'], '--to must not be before --from.'],
    [
      ['--from', '2026-02-30'],
      "option '--from <day>' argument '2026-02-30' is invalid. It must be a day such as 2026-11-01.",
    ],
    [['--events', '/nowhere/events.jsonl'], '/nowhere/events.jsonl cannot be read: '],
  ])('%j is one line and exit code 2', async (flags, line) => {
    const history = randomHistory(5, 1, span);
    const { code, stdout, stderr } = await run(history, exportOf(history, utc, days), flags);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(line);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test.each(['10.00001', '1,50'])(
    'an export with the amount %s, which cannot be read, is not whole: its row is named, and the exit code is 2',
    async (amount) => {
      const history = randomHistory(8, 20, span);
      const wrong = `r1;ann;bells;EUR;${amount};2.00;DONE;2026-10-23T12:00:00Z`;
      const text = exportOf(history, utc, days).replaceAll(',', ';');
      const why = 'its bet is not an amount with at most 4 decimals';
      const rows = text.trim().split('\n').length;
      const bad = `${text.trim()}\n${wrong}\n`;
      const { code, stdout, stderr } = await run(history, bad);
      expect([code, stderr]).toEqual([2, '']);
      expect(stdout).toContain(
        `\nexport: row ${rows}: ${why}\nNot whole: 1 row of the export cannot be read. Of ${rows - 1} compared 0 differ.\n`,
      );
      const csv = await run(history, bad, ['--csv']);
      expect([csv.code, csv.stderr]).toEqual([2, `export: row ${rows}: ${why}\n`]);
      expect((await run(history, text)).code).toBe(0);
    },
  );

  test('a line that is no event is named by its number, and nothing of it is printed', async () => {
    const history = randomHistory(6, 3, span);
    const lines = [...eventLines(history, frame), '{"secret": oops'];
    const { code, stderr } = await run(history, exportOf(history, utc, days), [], lines);
    expect([code, stderr]).toEqual([
      2,
      `error: Cannot compare: event in line ${lines.length}: the line is not JSON.\n`,
    ]);
  });

  test('events come from stdin too', async () => {
    const history = randomHistory(7, 100, span);
    const rows = await temporaryFile('export.csv', exportOf(history, utc, days));
    const map = await temporaryFile('map.json', exportMap);
    const args = [
      '--events',
      '-',
      '--export',
      rows,
      '--map',
      map,
      '--operator',
      'casino',
      '--from',
      '2026-10-23',
      '--to',
      '2026-10-24',
    ];
    const result = await runProcess(['reconcile', ...args], {
      stdin: eventLines(history, frame).join('\n'),
    });
    expect(result).toMatchObject({ code: 0, stderr: '' });
  });
});

/** A token of ann's, launched and connected. */
async function connected(sandbox: StartedSandbox): Promise<string> {
  const launch = { playerId: 'ann', gameCode: 'game-bells', currency: 'EUR' };
  const { url } = (await sandbox.post('launch', launch)) as { url: string };
  const { searchParams } = new URL(url);
  const reply = await fetch(`${searchParams.get('login')}?token=${searchParams.get('token')}`);
  return ((await reply.json()) as { token: string }).token;
}

/** A zone of whole hours in which a day begins at this time. */
function zoneWithMidnight(at: number): string {
  const hour = new Date(at).getUTCHours();
  return hour <= 12 ? `Etc/GMT+${hour}` : `Etc/GMT-${24 - hour}`;
}

interface Wallet {
  readonly url: string;
  /** Moves the clock of what it records on. */
  advance(ms: number): void;
  /** Its events so far, as lines, with an event before and one after all days. */
  lines(): Promise<string[]>;
  /** Sends a void of the round's first debit, signed as the RGS would. */
  send(playerId: string, gameRound: string, gameCode: string): Promise<void>;
}

async function startWallet(): Promise<Wallet> {
  let ahead = 0;
  const [startedAt, clock] = [Date.now(), { ...systemClock, now: () => Date.now() + ahead }];
  const store = createMemoryStore({ events: ['reconcile'], clock });
  for (const playerId of ['ann', 'bob']) {
    await store.players.openPlayer({
      operatorId: OPERATOR_ID,
      playerId,
      currency: 'EUR',
      balances: { real: '100000' },
    });
  }
  const handler = createOperatorHandler({
    store,
    operators: [{ operatorId: OPERATOR_ID, secrets: [SECRET] }],
    // Calls are signed by the machine's time, and recorded by that of the store.
    clock,
    clockToleranceMs: dayMs,
  });
  const server = createServer(handler.handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanup.after(server, (one) => one.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const events: string[] = [];
  return {
    url,
    advance: (ms) => void (ahead += ms),
    async lines() {
      const [lag] = await store.events.lag(OPERATOR_ID);
      const request = { consumer: 'reconcile', operatorId: OPERATOR_ID, atMost: 1_000 };
      if ((lag?.waiting ?? 0) > 0) {
        for await (const batch of store.events.read(request)) {
          events.push(...batch.events.map((event) => JSON.stringify(event)));
          await batch.done();
          if ((await store.events.lag(OPERATOR_ID))[0]?.waiting === 0) break;
        }
      }
      const frame = [startedAt - 4 * dayMs, clock.now() + 5 * dayMs].map((at) => {
        return JSON.stringify({
          type: 'cash',
          operatorId: OPERATOR_ID,
          at: new Date(at).toISOString(),
        });
      });
      return [frame[0] ?? '', ...events, frame[1] ?? ''];
    },
    async send(playerId, gameRound, gameCode) {
      const transactions = [{ type: 'void', hash: gameRound }];
      const message = { playerId, gameCode, gameRound, transactionCount: 1, transactions };
      const { method, path, headers, body } = signer.doTransactions(message);
      const answer = await fetch(url + path, { method, headers, body: body ?? null });
      expect(answer.status).toBe(200);
    },
  };
}
