import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type Logger, systemClock } from '../../../lib/platform';
import { until } from '../../servers/until';
import { LeapingClock } from '../../platform/leaping-clock';
import { VirtualClock } from '../../support/virtual-clock';
import {
  type Answer,
  createRig,
  credit,
  debit,
  end,
  headersFor,
  operatorId,
  playerId,
  type Rig,
  secret,
  signedRest,
  voidOfDebit,
} from './rig';

type Line = Readonly<Record<string, unknown>>;

let rig: Rig;
let written: string;
const allLines = pino({ level: 'info' }, { write: (line: string) => void (written += line) });

const ofPino = ['level', 'time', 'pid', 'hostname', 'msg'];

/** A logger of this level. */
function linesOf(level: string) {
  return pino({ level }, { write: (line: string) => void (written += line) });
}

/** A logger that has no level debug, as the type allows. */
function withoutDebug(): Logger {
  const own = linesOf('trace');
  return { info: own.info.bind(own), warn: own.warn.bind(own), error: own.error.bind(own) };
}

/** The members of a line that are not pino's. */
function membersOf(line: Line): string[] {
  return Object.keys(line)
    .filter((name) => !ofPino.includes(name))
    .toSorted();
}

/** The lines of transactions so far. */
function ofCall(): Line[] {
  return lines().filter(({ msg }) => msg === 'transaction answered');
}

/** The lines of the log so far. */
function lines(): Line[] {
  return written
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

beforeEach(async () => {
  written = '';
  rig = await createRig({ logger: allLines, clock: new LeapingClock() });
});

afterEach(() => rig.close());

const who = { operatorId, playerId, gameRound: 'round-1' };

test('a call is one line: operator, player, round, outcome, duration', async () => {
  await rig.call([debit()]);
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatchObject({
    level: 30,
    operation: 'doTransactions',
    ...who,
    outcome: 'processed',
    code: null,
    status: 200,
    durationMs: expect.any(Number),
  });
});

test('the duration of a call is right although the wall clock is set back meanwhile', async () => {
  await rig.close();
  let setBackMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() - setBackMs };
  rig = await createRig({ logger: allLines, clock });
  const commit = rig.store.rounds.commit.bind(rig.store.rounds);
  rig.store.rounds.commit = (...change) => {
    setBackMs = 250_000;
    return commit(...change);
  };
  await rig.call([debit()]);
  expect(lines()[0]).toMatchObject({ status: 200 });
  expect(lines()[0]?.['durationMs']).toBeGreaterThanOrEqual(0);
});

test('a refusal is one line with its code, as a warning', async () => {
  await rig.call([debit(1000)]);
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatchObject({ level: 40, ...who, code: 'BALANCETOOLOW', status: 400 });
});

test('an unknown outcome is one line with its cause, as an error', async () => {
  await rig.call([debit()]);
  written = '';
  rig.store.fail('commit', 'unknown');
  await rig.call([credit()]);
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatchObject({ level: 50, ...who, outcome: 'unknown', status: 400 });
  expect(JSON.stringify(lines()[0])).toContain('The store is silent.');
});

test('a void of a round that nothing is known of is a warning: it is early, or after the retention (D5.5, D10)', async () => {
  await rig.call([voidOfDebit]);
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatchObject({ level: 40, status: 200, gameRound: 'round-1' });
  expect(JSON.stringify(lines()[0])).toContain('unknown round');
});

test('a void with another amount is one line that says so, as a warning (D5.6)', async () => {
  await rig.call([debit()]);
  written = '';
  expect((await rig.call([{ ...voidOfDebit, amount: 11 }])).status).toBe(200);
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatchObject({ level: 40, ...who, status: 200 });
  expect(JSON.stringify(lines()[0])).toContain('another amount');
});

test('an unknown outcome has the code that was answered', async () => {
  rig.store.fail('commit', 'unknown');
  await rig.call([debit()]);
  expect(lines()[0]).toMatchObject({ ...who, outcome: 'unknown', code: 'TEMPORARILYUNAVAILABLE' });
});

describe('a call of a caller who is verified is one line with the same members', () => {
  /** What every such line has, whatever came of the call. */
  const members = [
    'operation',
    'operatorId',
    'playerId',
    'gameRound',
    'outcome',
    'code',
    'detail',
    'state',
    'transactions',
    'notes',
    'status',
    'durationMs',
  ];

  test.each([
    ['without transactions', [], {}],
    ['with a wrong transactionCount', [debit()], { transactionCount: 2 }],
    ['with a transaction that is none', [debit(10, { currency: 'eur' })], {}],
    ['with an amount that cannot be kept', [debit(0.00001)], {}],
  ])('doTransactions %s', async (_, transactions, more) => {
    expect((await rig.call(transactions, more)).status).toBe(400);
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toMatchObject({
      level: 40,
      msg: 'call answered',
      operation: 'doTransactions',
      ...who,
      outcome: 'refused',
      code: expect.stringMatching(/^(?:INVALIDPARAMETER|TRANSACTIONCOUNTWRONG)$/),
      status: 400,
    });
  });

  test('doTransactions without a gameRound that is a name', async () => {
    const gameRound = 'x'.repeat(500);
    expect((await rig.call([debit()], { gameRound })).status).toBe(400);
    expect(lines()[0]).toMatchObject({ operatorId, playerId, gameRound: gameRound.slice(0, 128) });
  });

  test('getBalance, processed, refused and unknown', async () => {
    const ask = (parameters: object) =>
      rig.send(rig.signer.getBalance({ playerId, currency: 'EUR', ...parameters }));
    await ask({});
    await ask({ currency: 'USD' });
    await ask({ currency: 'EURO' });
    await ask({ playerId: 'nobody' });
    rig.store.fail('accounts', 'unknown');
    await ask({});
    rig.store.fail('accounts', 'hang');
    await ask({});
    rig.store.fail('accounts', 'throw');
    await ask({});
    const told = lines().map(({ msg, level, playerId: player, outcome, code, status }) =>
      [msg, level, player, outcome, code, status].join(' '),
    );
    expect(told).toEqual([
      `call answered 30 ${playerId} processed  200`,
      `call answered 40 ${playerId} refused CURRENCYNOTSUPPORTED 400`,
      `call answered 40 ${playerId} refused INVALIDPARAMETER 400`,
      'call answered 40 nobody refused PLAYERNOTFOUND 400',
      `call answered 50 ${playerId} unknown TEMPORARILYUNAVAILABLE 503`,
      `call answered 50 ${playerId} unknown TEMPORARILYUNAVAILABLE 503`,
      `call answered 50 ${playerId} unknown INTERNALERROR 500`,
    ]);
    for (const line of lines().filter(({ err }) => err === undefined)) {
      expect(membersOf(line)).toEqual(members.toSorted());
    }
    for (const line of lines()) expect(Object.keys(line)).toEqual(expect.arrayContaining(members));
    for (const line of lines()) expect(line).toMatchObject({ operatorId, operation: 'getBalance' });
    expect(lines()[6]).toMatchObject({ err: { message: 'The store is broken.' } });
  });

  test('doTransactions, processed, refused and unknown', async () => {
    await rig.call([debit()]);
    await rig.call([debit(1000, { hash: 'd2', isFirstDebit: false })]);
    await rig.call([debit()], { transactionCount: 2 });
    rig.store.fail('commit', 'unknown');
    await rig.call([credit()]);
    const outcomes = lines().map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['processed', 'refused', 'refused', 'unknown']);
    for (const line of lines().slice(0, 3)) expect(membersOf(line)).toEqual(members.toSorted());
    expect(membersOf(lines()[3] as Line)).toEqual([...members, 'err'].toSorted());
  });
});

describe('each transaction of a call is a line', () => {
  test.each([
    ['at level debug', {}, 'debug', 20],
    ['with logTransactions, at level info', { logTransactions: true }, 'info', 30],
  ])('%s', async (_, options, level, lineLevel) => {
    await rig.close();
    rig = await createRig({ ...options, logger: linesOf(level), clock: new LeapingClock() });
    const second = debit(1000, { hash: 'd2', isFirstDebit: false });
    await rig.call([debit(2.5), credit(7.75)]);
    await rig.call([credit(7.75), second, end]);
    await rig.call([{ ...voidOfDebit, amount: 2.5 }]);
    const told = ofCall().map(({ type, hash, currency, amount, outcome, code, replay }) =>
      [type, hash, currency, amount, outcome, code, replay].map(String).join(' '),
    );
    expect(told).toEqual([
      'debit round-1 EUR 2.5 processed null false',
      'credit credit-1 EUR 7.75 processed null false',
      'credit credit-1 EUR 7.75 processed null true',
      'debit d2 EUR 1000 refused BALANCETOOLOW false',
      'end end-1 null null refused DEBITFAILEDBEFORE false',
      'void round-1 null 2.5 processed null false',
    ]);
    for (const line of ofCall()) expect(line).toMatchObject({ ...who, level: lineLevel });
    expect(lines().filter(({ msg }) => msg === 'call answered')).toHaveLength(3);
  });

  test('unknown without an answer; and no line at level info without the option, or without a method debug', async () => {
    await rig.close();
    rig = await createRig({ logTransactions: true, logger: allLines, clock: new LeapingClock() });
    rig.store.fail('commit', 'unknown');
    await rig.call([debit()]);
    expect(ofCall()).toEqual([expect.objectContaining({ outcome: 'unknown', amount: '10' })]);
    for (const logger of [linesOf('info'), withoutDebug()]) {
      written = '';
      await rig.close();
      rig = await createRig({ logger, clock: new LeapingClock() });
      await rig.call([debit()]);
      expect([lines().length, ofCall().length]).toEqual([1, 0]);
    }
  });
});

test('a secret in place of a name is not logged, whichever caller sends it', async () => {
  const body = JSON.stringify({ playerId: secret, gameCode: 'bells', gameRound: `r ${secret}` });
  await rig.send(rig.signer.doTransactions(JSON.parse(body.replace('}', ',"transactions":[]}'))));
  await rig.send(rig.signer.getBalance({ playerId: secret, currency: 'none' }));
  await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }), { 'X-H-AUTH-ID': secret });
  expect(lines()).toHaveLength(3);
  expect(lines()[0]).toMatchObject({ operatorId, playerId: '[secret]', gameRound: '[secret]' });
  expect(lines()[1]).toMatchObject({ operatorId, playerId: '[secret]' });
  expect(lines()[2]).toMatchObject({ claimedOperatorId: '[secret]', status: 401 });
  expect(written).not.toContain(secret);
});

test('a secret in place of a name or a hash is not logged of a call that was processed', async () => {
  await rig.close();
  rig = await createRig({ logger: allLines, clock: new LeapingClock(), logTransactions: true });
  await rig.call([debit()], { playerId: secret, gameRound: `r ${secret}` });
  await rig.call([debit(1, { hash: `h ${secret}` })]);
  const hidden = { operatorId, playerId: '[secret]', gameRound: '[secret]' };
  expect(lines()).toMatchObject([hidden, hidden, who, { ...who, hash: '[secret]' }]);
  expect(written).not.toContain(secret);
});

test('a caller who is not verified is one line with what is claimed, and no names', async () => {
  await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }), {
    'X-H-AUTH-SIG': 'bm8=',
  });
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatchObject({
    level: 40,
    msg: 'call refused',
    operation: 'getBalance',
    outcome: 'refused',
    code: 'SIGNATUREWRONG',
    claimedOperatorId: operatorId,
    status: 401,
  });
  expect(lines()[0]).not.toHaveProperty('operatorId');
  expect(lines()[0]).not.toHaveProperty('playerId');
});

test('of callers who are not verified twenty lines a second are written, and the others counted in one every ten seconds', async () => {
  await rig.close();
  const clock = new VirtualClock();
  rig = await createRig({ logger: allLines, clock });
  const attack = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at++) {
      await rig.send({ method: 'GET', path: '/elsewhere', body: undefined, headers: {} } as never);
    }
  };
  await attack(35);
  expect(lines().map(({ msg }) => msg)).toEqual(Array(20).fill('call refused'));
  await clock.pass(1000);
  await attack(22);
  expect(lines()).toHaveLength(40);
  await clock.pass(9000);
  expect(lines().slice(40)).toMatchObject([
    { level: 40, leftOut: 17, msg: expect.stringMatching(/^calls refused without a line each/) },
  ]);
  await clock.pass(60_000);
  expect(lines()).toHaveLength(41);
  await attack(1);
  expect(lines()).toHaveLength(42);
});

test('every call of a verified caller has a line, however many are refused', async () => {
  for (let at = 0; at < 30; at++) await rig.call([debit(1)], { playerId: 'nobody' });
  expect(lines()).toHaveLength(30);
});

test.each([
  ['GET', '/doTransactions', 405, 'doTransactions'],
  ['POST', '/getBalance', 405, 'getBalance'],
  ['GET', '/elsewhere', 404, null],
] as const)('%s %s is one line, answered %i', async (method, path, status, operation) => {
  const headers = { 'X-H-AUTH-ID': operatorId };
  await rig.send({ method, path, body: method === 'POST' ? '{}' : undefined, headers } as never);
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatchObject({
    level: 40,
    msg: 'call refused',
    operation,
    outcome: 'refused',
    code: 'INVALIDPARAMETER',
    claimedOperatorId: operatorId,
    status,
    durationMs: expect.any(Number),
  });
});

test('no control character of a header reaches the log, and an id beyond ASCII is readable there', async () => {
  const steering = 'ac\u009b31m\u0085me';
  const utf8 = Buffer.from('opérateur\u009b\u2028').toString('latin1');
  for (const id of [steering, utf8]) {
    await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }), { 'X-H-AUTH-ID': id });
  }
  expect(written.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
  expect(lines().map((line) => line['claimedOperatorId'])).toEqual([
    expect.stringMatching(/^ac.*31m.*me$/),
    String.raw`opérateur\u009b\u2028`,
  ]);
});

/** What is logged when a router is created with these options. */
async function linesAtStart(options: object): Promise<Line[]> {
  written = '';
  const logger = pino({}, { write: (line: string) => void (written += line) });
  await (await createRig({ logger, ...options })).close();
  return lines();
}

test('too few remembered signatures for the clock tolerance cause a warning at start (D1.8)', async () => {
  expect(await linesAtStart({})).toEqual([]);
  expect(await linesAtStart({ clockToleranceMs: 900_000 })).toEqual([]);
  expect(
    await linesAtStart({ clockToleranceMs: 86_400_000, rememberedSignatures: 10_000_000 }),
  ).toEqual([]);
  expect(await linesAtStart({ rememberedSignatures: 1000 })).toHaveLength(1);
  const hours = await linesAtStart({ clockToleranceMs: 3_600_000 });
  expect(hours).toEqual([
    expect.objectContaining({
      level: 40,
      clockToleranceMs: 3_600_000,
      rememberedSignatures: 100_000,
      callsPerSecond: 13,
    }),
  ]);
  expect(hours[0]?.['msg']).toContain('clockToleranceMs');
});

test('a hook that fails is a line of its own', async () => {
  await rig.close();
  const logger = pino({}, { write: (line: string) => void (written += line) });
  rig = await createRig({
    logger,
    onOutcome: () => Promise.reject(new Error('the hook is broken')),
  });
  await rig.call([debit()]);
  await until('the line', () => written.includes('the hook is broken'));
});

test('no log and no reply holds the secret, the signed string or a signature (D8)', async () => {
  const replies: Answer[] = [];
  const note = async (sent: Promise<Answer>) => void replies.push(await sent);
  const bodies = [
    '',
    '{',
    '[]',
    '{"playerId":"a#b"}',
    `{"playerId":"${secret}"`,
    `{"${secret}":1,"${secret}":1}`,
  ];
  for (const body of bodies) {
    const headers = headersFor('#x');
    await note(rig.send({ method: 'POST', path: '/doTransactions', body, headers }));
    await note(
      rig.send({
        method: 'POST',
        path: '/doTransactions',
        body,
        headers: { ...headers, 'X-H-AUTH-ID': 'x' },
      }),
    );
  }
  const good = headersFor(signedRest(['round-1', 10]));
  const body = JSON.stringify({
    playerId,
    gameCode: 'bells',
    gameRound: 'round-1',
    transactions: [debit()],
    transactionCount: 1,
  });
  await note(rig.send({ method: 'POST', path: '/doTransactions', body, headers: good }));
  await note(
    rig.send({
      method: 'POST',
      path: '/doTransactions',
      body: body.replace('debit', 'void'),
      headers: good,
    }),
  );
  await note(rig.call([debit(), credit(1, { currency: 'USD' })]));
  rig.store.fail('commit', 'throw');
  await note(rig.call([debit(5, { isFirstDebit: false, hash: 'd2' })]));
  rig.store.fail('accounts', 'throw');
  await note(rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' })));
  rig.store.heal();
  expect(lines().length).toBeGreaterThanOrEqual(replies.length);
  const texts = [written, ...replies.map(({ text, headers }) => text + JSON.stringify(headers))];
  const signature = good['X-H-AUTH-SIG'] ?? '';
  const secrets = [secret, signature, createHash('sha256').update(secret).digest('hex')];
  for (const hidden of [...secrets, Buffer.from(secret).toString('base64'), '#player-1#bells']) {
    for (const text of texts) expect(text).not.toContain(hidden);
  }
  for (const { text } of replies) expect(text).not.toMatch(/node:|\.ts|\.js|at .*:\d+/);
});
