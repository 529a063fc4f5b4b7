import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Response } from 'supertest';
import { until } from '../support/until';
import {
  createRig,
  credit,
  debit,
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

/** The lines of the log so far. */
function lines(): Line[] {
  return written
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

beforeEach(async () => {
  written = '';
  const logger = pino({ level: 'trace' }, { write: (line: string) => void (written += line) });
  rig = await createRig({ logger, deadlineMs: 60 });
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
    status: 200,
    durationMs: expect.any(Number),
  });
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

test('a void with another amount is one line that says so, as a warning (D5.6)', async () => {
  await rig.call([debit()]);
  written = '';
  expect((await rig.call([{ ...voidOfDebit, amount: 11 }])).status).toBe(200);
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatchObject({ level: 40, ...who, status: 200 });
  expect(JSON.stringify(lines()[0])).toContain('another amount');
});

test('a request that was refused is one line with the reason, as a warning', async () => {
  await rig.send(
    rig.signer.doTransactions('{"playerId":"a","gameCode":"b","gameRound":"c","transactions":[]}'),
  );
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatchObject({
    level: 40,
    operation: 'doTransactions',
    outcome: 'refused',
    code: 'INVALIDPARAMETER',
    claimedOperatorId: operatorId,
    status: 400,
    durationMs: expect.any(Number),
  });
});

test('getBalance is one line as well, also where it fails', async () => {
  await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }));
  rig.store.fail('accounts', 'throw');
  await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }));
  expect(lines()).toHaveLength(2);
  const operation = 'getBalance';
  expect(lines()[0]).toMatchObject({ level: 30, operation, operatorId, playerId, status: 200 });
  expect(lines()[1]).toMatchObject({
    level: 50,
    operation,
    status: 500,
    err: { message: 'The store is broken.' },
  });
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
  const replies: Response[] = [];
  const note = async (sent: PromiseLike<Response>) => void replies.push(await sent);
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
