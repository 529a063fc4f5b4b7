import { describe, expect, test } from '@jest/globals';

import { CallPrinter } from '../../lib/cli/sandbox/calls';
import { repeatOf } from '../../lib/cli/sandbox/flags';
import { styleFor } from '../../lib/cli/terminal/style';
import type { FindingView, WireCall } from '../../lib/rgs/sandbox/view/wire';

const plain = styleFor({ isTTY: true }, { NO_COLOR: '1' });
const painted = styleFor({ isTTY: true }, {});

function call(n: number, members: Partial<WireCall> = {}): WireCall {
  return {
    n,
    at: '2026-03-01T12:00:00.000Z',
    line: 'provider-rgs',
    call: 'startGameRound',
    round: '0123456789abcdef',
    method: 'POST',
    path: '/gameapi/v2/startGameRound',
    headers: { 'x-request-id': 'one' },
    body: {
      text: '{"debitInformation":{"debitAmount":100,"currency":"EUR"}}',
      encoding: 'utf8',
      bytes: 57,
    },
    status: 200,
    replyHeaders: {},
    replyBody: null,
    ms: 12,
    signed: '{}#2026-03-01T12:00:00.000Z',
    verdict: 'verified',
    explanation: null,
    cause: null,
    fault: null,
    state: 'done',
    ...members,
  };
}

function debit(n: number, cause: number, members: Partial<WireCall> = {}): WireCall {
  const text = '{"transactions":[{"type":"debit","amount":100,"isFirstDebit":true}]}';
  return call(n, {
    line: 'rgs-wallet',
    call: 'doTransactions',
    body: { text, encoding: 'utf8', bytes: text.length },
    cause,
    ...members,
  });
}

function finding(members: Partial<FindingView> = {}): FindingView {
  return {
    id: 'noKey',
    rule: 'E15.1',
    call: null,
    round: 'r1',
    text: 'x',
    at: '',
    wire: 1,
    ...members,
  };
}

function printer(isVerbose = false, style = plain) {
  const lines: string[] = [];
  const made = new CallPrinter((line) => lines.push(line), style, isVerbose);
  return Object.assign(made, { lines });
}

describe('the printer of calls', () => {
  test('prints time, line, call, round, status, milliseconds and what matters, which alone goes beyond 80 columns', () => {
    const out = printer();
    out.call(call(1));
    expect(out.lines[0]?.split(/ {2,}/)).toEqual([
      '12:00:00.000 game->rgs',
      'startGameRound',
      '01234567',
      '200',
      '12 ms',
      'stake 1.00 EUR',
    ]);
    expect(out.lines[0]?.indexOf('stake')).toBeLessThan(80);
  });

  test('amounts of 0 are left out of a win that is collected', () => {
    const out = printer();
    const round = '"gameRoundInfo":{"hash":"r","status":"closed"},"amountToCollect":0';
    const reply = `{${round},"amountCredited":250}`;
    const request = '{"rngResult":{"winAmount":250},"collect":true}';
    out.call(
      call(1, {
        call: 'addWin',
        body: { text: request, encoding: 'utf8', bytes: request.length },
        replyBody: { text: reply, encoding: 'utf8', bytes: reply.length },
      }),
    );
    expect(out.lines[0]).toMatch(/ {2}win 2\.50, collect; closed, credited 2\.50$/);
  });

  test('a call waits for the one that made it, and stands indented under it', () => {
    const out = printer();
    out.call(debit(2, 1));
    expect(out.lines).toEqual([]);
    out.call(call(1));
    expect(out.lines[0]).toContain('game->rgs');
    expect(out.lines[1]).toMatch(
      /^12:00:00\.000 {3}rgs->wallet +doTransactions +01234567 +200 +12 ms {2}debit 1.00/,
    );
  });

  test('a call that comes after the end of the one that made it is printed at once', () => {
    const out = printer();
    out.call(call(1));
    out.call(debit(2, 1));
    expect(out.lines).toHaveLength(2);
  });

  test('what waits for a call that never ends is printed by flush', () => {
    const out = printer();
    out.call(debit(2, 1));
    out.flush();
    expect(out.lines).toHaveLength(1);
  });

  test('a finding stands below its call, also where the call waits for the one that made it (E1.5)', () => {
    const out = printer();
    out.finding(finding({ wire: 2 }));
    out.call(debit(2, 1));
    expect(out.lines).toEqual([]);
    out.call(call(1));
    expect(out.lines).toEqual([
      expect.stringContaining('game->rgs'),
      expect.stringContaining('rgs->wallet'),
      'finding E15.1 noKey r1: x',
    ]);
  });

  test('a finding about a call that was printed, or about none, is printed at once (E1.5)', () => {
    const out = printer();
    out.call(call(1));
    out.finding(finding());
    out.finding(finding({ wire: null, round: 'r2' }));
    expect(out.lines).toHaveLength(3);
    out.finding(finding({ wire: 7, round: 'r3' }));
    expect(out.lines).toHaveLength(3);
    out.flush();
    expect(out.lines[3]).toBe('finding E15.1 noKey r3: x');
  });

  test('a finding that a round has shown already is counted; the count stands at the end (E1.5)', () => {
    const out = printer();
    out.call(call(1));
    for (let n = 0; n < 6; n++) out.finding(finding());
    out.finding(finding({ round: 'r2' }));
    expect(out.lines.slice(1)).toEqual(['finding E15.1 noKey r1: x', 'finding E15.1 noKey r2: x']);
    out.flush();
    expect(out.lines.slice(3)).toEqual(['finding E15.1 noKey r1: 6 times']);
  });

  test('a fault, a lost call and a refused signature are named', () => {
    const out = printer();
    out.call(call(1, { fault: 'loseReply', state: 'lost', status: null, ms: null }));
    out.call(
      call(2, { status: 401, verdict: 'refused', explanation: 'the body has a space more' }),
    );
    expect(out.lines[0]).toMatch(/lost +\? ms {2}.*fault loseReply$/);
    expect(out.lines[1]).toMatch(/401 +12 ms {2}.*the body has a space more$/);
  });

  test('faults and findings have a colour of their own, unless NO_COLOR is set or nobody reads', () => {
    const coloured = printer(false, painted);
    coloured.call(call(1, { fault: 'cut' }));
    coloured.finding({
      id: 'noKey',
      rule: 'E15.1',
      call: null,
      round: null,
      text: 'x',
      at: '',
      wire: 1,
    });
    expect(coloured.lines[0]?.startsWith('\u001b[33m')).toBe(true);
    expect(coloured.lines[1]?.startsWith('\u001b[35m')).toBe(true);
    expect(styleFor({}, {}).fault('x')).toBe('x');
    expect(plain.fault('x')).toBe('x');
  });

  test('what came over a line cannot control the terminal', () => {
    const out = printer(true);
    out.call(call(1, { call: 'ping\u001b[2J', round: '\u0007bell', path: '/x\r\ny' }));
    out.call(call(2, { call: 'getBalance', path: '/getBalance?playerId=ann%E2%80%AE' }));
    // oxlint-disable-next-line no-control-regex
    expect(out.lines.join('\n')).not.toMatch(/[\u0007\u001b\r\u202e]/);
  });

  test('--verbose adds headers, bodies and the signed string', () => {
    const out = printer(true);
    out.call(call(1));
    const text = out.lines.join('\n');
    expect(text).toContain('POST /gameapi/v2/startGameRound');
    expect(text).toContain('x-request-id: one');
    expect(text).toContain('signed: {}#2026-03-01T12:00:00.000Z');
  });
});

test('the command that repeats a run has its flags and the seed, quoted for a shell', () => {
  const flags = { game: 'game-bells', players: "ann's file.json", multiplier: { SEK: '10' } };
  const again = `rgs-wallet sandbox --seed 7 --players 'ann'\\''s file.json' --multiplier SEK=10`;
  expect(repeatOf(flags, 7)).toBe(again);
  expect(repeatOf({ game: 'game-bells', settings: 's.json' }, 7)).toBe(
    'rgs-wallet sandbox --seed 7 --settings s.json',
  );
  expect(repeatOf({ game: 'game-bells', statsBy: 'end', statsZone: 'Europe/Malta' }, 7)).toBe(
    'rgs-wallet sandbox --seed 7 --stats-by end --stats-zone Europe/Malta',
  );
  expect(repeatOf({ game: 'slots' }, 7, 'spin')).toBe(
    'rgs-wallet sandbox play spin --seed 7 --game slots',
  );
  expect(repeatOf({ game: 'game-bells', port: 0, host: '::1', exit: true }, 7)).toBe(
    'rgs-wallet sandbox --seed 7 --port 0 --host ::1 --exit',
  );
  expect(repeatOf({ game: 'game-bells', port: 8090, data: 'a.journal' }, 7)).toBe(
    'rgs-wallet sandbox --seed 7 # without --data: the file has the rounds of this run',
  );
});
