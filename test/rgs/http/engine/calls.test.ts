import { EventEmitter, once } from 'node:events';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { EngineRefusedError } from '../../../../lib/protocol/engine-api/errors';
import type { EngineCall } from '../../../../lib/protocol/engine-api/requests';
import type { PostedCall } from '../../../../lib/protocol/engine-api/read-request';
import { goodBodies } from './requests';
import { createRig, type Rig } from './rig';

let rig: Rig;

beforeEach(async () => {
  rig = await createRig();
});

afterEach(() => rig.close());

describe('every call of game-engine-api 4.2 to 4.12, 4.14, 4.15 and 4.17', () => {
  test.each(Object.keys(goodBodies) as PostedCall[])(
    'POST /%s reaches the service, read',
    async (name) => {
      const reply = await rig.send({ path: `/${name}`, body: JSON.stringify(goodBodies[name]) });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(rig.worked).toMatchObject([{ gameProviderId: 'studio-1', name }]);
      expect(rig.events).toMatchObject([{ call: name, status: 200, error: null }]);
    },
  );

  test.each(Object.keys(goodBodies) as PostedCall[])(
    'POST /%s with {} is 400 with 19, unless nothing is required',
    async (name) => {
      const reply = await rig.send({ path: `/${name}`, body: '{}' });
      expect([reply.status, JSON.parse(reply.body).errorCode.id]).toEqual([400, 19]);
      expect(rig.worked).toEqual([]);
    },
  );

  test('amounts are exact on both sides (E4.1)', async () => {
    const { debitInformation, ...start } = goodBodies.startGameRound as {
      debitInformation: object;
    };
    const body = JSON.stringify({
      ...start,
      debitInformation: { ...debitInformation, debitAmount: '9007199254740991' },
    });
    const reply = await rig.send({ path: '/startGameRound', body });
    expect(rig.worked).toMatchObject([
      { request: { debitInformation: { debitAmount: 9007199254740991n } } },
    ]);
    expect(reply.body).toContain('"amountToCollect":9007199254740991');
  });

  test('testPing gives any JSON back as it came (E22.2)', async () => {
    await rig.send({ path: '/testPing', body: '{"testData": {"a": [1.50, "ü"]}}' });
    expect(rig.worked).toMatchObject([{ request: { testData: '{"a":[1.50,"ü"]}' } }]);
  });

  test('a base path is in front of every call (E1.4)', async () => {
    await rig.close();
    rig = await createRig({ basePath: '/gameapi/v2' });
    const body = JSON.stringify(goodBodies.testPing);
    expect((await rig.send({ path: '/gameapi/v2/testPing', body })).status).toBe(200);
    expect((await rig.send({ path: '/testPing', body })).status).toBe(404);
    expect((await rig.send({ method: 'GET', path: '/gameapi/v2/status' })).status).toBe(200);
  });
});

async function answeredWith(error: unknown) {
  await rig.close();
  rig = await createRig({
    answer: async () => {
      throw error;
    },
  });
  return rig.send({ path: '/testPing', body: '{"testData":1}' });
}

describe('an error of the service (E3.1)', () => {
  test.each<[EngineRefusedError, number, number, string]>([
    [
      new EngineRefusedError('GAMEROUNDNOTACTIVE', 'E6'),
      400,
      13,
      'The gameround is not open. (E6)',
    ],
    [new EngineRefusedError('OPERATIONBEINGPROCESSED', 'E15.3'), 503, 9110, '(E15.3)'],
    [new EngineRefusedError('RATELIMITEXCEEDED', 'E3.3'), 429, 9107, '(E3.3)'],
    [new EngineRefusedError({ id: 4711, clientmsg: 'Not today.' }, 'W2'), 400, 4711, '(W2)'],
  ])('%s is answered in the form of E3.1', async (error, status, id, msg) => {
    const reply = await answeredWith(error);
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.body)).toEqual({ errorCode: { ...error.errorObject } });
    expect(JSON.parse(reply.body).errorCode).toMatchObject({
      id,
      msg: expect.stringContaining(msg),
    });
    expect(rig.events[0]?.error).toEqual({
      id,
      errorId: reply.headers.get('x-h-error-id'),
      rule: error.rule,
      cause: null,
    });
  });

  test.each<[string, unknown]>([
    ['an Error', new Error('evil: the journal is at /var/x')],
    ['a text', 'evil'],
    ['nothing', undefined],
  ])('%s is 500 with 9000; what it says is in the event alone (E3.2)', async (_, thrown) => {
    const reply = await answeredWith(thrown);
    expect([reply.status, JSON.parse(reply.body).errorCode.id]).toEqual([500, 9000]);
    expect(reply.body).not.toContain('evil');
    expect(rig.events[0]?.error).toMatchObject({ id: 9000, cause: thrown });
  });

  test('x-h-error-id is fresh for each error', async () => {
    const one = await rig.send({ path: '/testPing', body: 'no' });
    const other = await rig.send({ path: '/testPing', body: 'no' });
    expect(one.headers.get('x-h-error-id')).not.toBe(other.headers.get('x-h-error-id'));
  });

  test('a success has no x-h-error-id', async () => {
    const reply = await rig.send({ path: '/testPing', body: '{"testData":1}' });
    expect(reply.headers.has('x-h-error-id')).toBe(false);
  });
});

test('closing waits for the calls in flight', async () => {
  const gate = new EventEmitter();
  await rig.close();
  rig = await createRig({
    answer: async (name: EngineCall) => {
      await once(gate, 'open');
      throw new EngineRefusedError('GAMEROUNDNOTACTIVE', name);
    },
  });
  const reply = rig.send({ path: '/testPing', body: '{"testData":1}' });
  while (rig.worked.length === 0) await new Promise(setImmediate);
  const order: string[] = [];
  const closed = rig.handler.close().then(() => order.push('closed'));
  gate.emit('open');
  await reply.then(({ status }) => expect(status).toBe(400));
  await closed;
  expect(order).toEqual(['closed']);
});

describe('a member that is almost one of the call (E1.5, E4.3)', () => {
  const named = { token: 't', gameRound: 'r', rngResult: { winAmount: 1 } };
  test.each([
    [{ ...named, colect: true }, 'did you mean collect?'],
    [
      { ...named, rngResult: { winAmount: 1, rngCallID: 'd' } },
      'did you mean rngResult/rngCallId?',
    ],
    [
      { ...named, jackpotPayout: [{ jackpotId: 'j', jackpotMod: 'x' }] },
      'did you mean jackpotPayout/jackpotMode?',
    ],
  ])('%j is taken, and a finding says what was meant', async (body, guess) => {
    const reply = await rig.send({ path: '/addWin', body: JSON.stringify(body) });
    expect(reply.status).toBe(200);
    expect(rig.findings).toMatchObject([
      { id: 'misspeltMember', rule: 'E4.3', call: 'addWin', round: 'r' },
    ]);
    expect(rig.findings[0]?.text).toMatch(new RegExp(`${guess.replace('?', '[?]')}$`));
  });

  test("an unknown member unlike any other is a newer one, and the sender's own JSON may have any names: no finding", async () => {
    const rngResult = { winAmount: 1, result: { colect: 1 }, betData: { colect: 'x' } };
    const body = JSON.stringify({
      ...named,
      rngResult,
      promotions: [],
      collect: false,
      colect: null,
    });
    await rig.send({ path: '/addWin', body });
    expect(rig.findings).toEqual([]);
  });
});
