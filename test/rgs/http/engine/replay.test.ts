import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { EngineCall } from '../../../../lib/protocol/engine-api/requests';
import type { PostedCall } from '../../../../lib/protocol/engine-api/read-request';
import { goodBodies } from './requests';
import { createRig, type Rig, secret, signatureOf } from './rig';

let rig: Rig;

beforeEach(async () => {
  rig = await createRig();
});

afterEach(() => rig.close());

/** A request and its signature, for use with other parts. */
function captured(body: string): { readonly headers: Record<string, string> } {
  const timestamp = new Date().toISOString();
  return { headers: { 'X-H-TIMESTAMP': timestamp, 'X-H-AUTH-SIG': signatureOf(body, timestamp) } };
}

/** Sends the same bytes twice. */
async function repeat(name: EngineCall, message: object) {
  const text = JSON.stringify(message);
  const bytes = rig.bytes({ path: `/${name}`, body: text });
  return [await rig.raw(bytes), await rig.raw(bytes)];
}

const round = '{"token":"t","gameRound":"round-1"}';

describe('the signature of a body does not name its path, so it is bound to the first one (E2.6)', () => {
  test.each(['/endGameRound', '/voidGameRound', '/getUncollectedAmount', '/getGameRoundInfo?x=1'])(
    'a captured getGameRoundInfo is answered 401 as %s',
    async (path) => {
      const { headers } = captured(round);
      const query = await rig.send({ path: '/getGameRoundInfo', body: round, headers });
      expect(query.status).toBe(200);
      const forged = await rig.send({ path, body: round, headers });
      expect([forged.status, JSON.parse(forged.body).errorCode.id]).toEqual([401, 1001]);
      expect(rig.worked.map(({ name }) => name)).toEqual(['getGameRoundInfo']);
      expect(rig.events.at(-1)).toMatchObject({ verdict: 'refused' });
    },
  );

  test('a captured getOperatorSettings is answered 401 with another query: nothing of it is signed (E2.3)', async () => {
    const { headers } = captured('');
    const path = '/getOperatorSettings?game=bells&operator=acme&currency=';
    expect((await rig.send({ method: 'GET', path: `${path}EUR`, headers })).status).toBe(200);
    expect((await rig.send({ method: 'GET', path: `${path}SEK`, headers })).status).toBe(401);
    expect((await rig.send({ method: 'GET', path: `${path}EUR`, headers })).status).toBe(200);
  });

  test('what was refused before its signature was verified is not remembered', async () => {
    const { headers } = captured(round);
    const wrong = { ...headers, 'Content-Type': 'text/plain' };
    expect((await rig.send({ path: '/voidGameRound', body: round, headers: wrong })).status).toBe(
      415,
    );
    expect((await rig.send({ path: '/getGameRoundInfo', body: round, headers })).status).toBe(200);
  });

  test('the latest signatures are remembered, as many as the option says', async () => {
    await rig.close();
    rig = await createRig({ rememberedSignatures: 1000 });
    const { headers } = captured(round);
    const send = (path: string) => rig.send({ path, body: round, headers });
    expect((await send('/getGameRoundInfo')).status).toBe(200);
    expect((await send('/endGameRound')).status).toBe(401);
  });
});

describe('an exact repeat (E2.6)', () => {
  const worked: PostedCall[] = [
    'startGameRound',
    'startGameOrAddBet',
    'addWin',
    'endGameRound',
    'voidGameRound',
    'collectWin',
    'wagerWin',
    'addSpinCounterGameState',
    'getGameRoundInfo',
    'getGameRoundHistoryInfo',
    'getUncollectedAmount',
    'getAvailableSpinCounter',
    'getBalance',
    'getTokenData',
    'getLastGameRounds',
    'getPlayerData',
    'testPing',
  ];
  test.each(worked)(
    'of %s, which has a key or changes nothing, is processed like any other repeat',
    async (name) => {
      await repeat(name, goodBodies[name]);
      expect(rig.worked.map((one) => one.name)).toEqual([name, name]);
      expect(rig.events.map(({ status, isRepeat }) => [status, isRepeat])).toEqual([
        [200, false],
        [200, true],
      ]);
      expect(rig.findings).toMatchObject([{ id: 'exactRepeat', rule: 'E2.6', call: name }]);
    },
  );

  const body = goodBodies;
  const noKey = { rngResult: { winAmount: 10 }, token: 't', gameRound: 'round-1' };
  test.each<[string, PostedCall, object]>([
    [
      'startGameRound without a round id',
      'startGameRound',
      { ...body.startGameRound, externalGameProviderRoundId: null },
    ],
    ['addWin without a key', 'addWin', noKey],
    ['wagerWin without a key', 'wagerWin', { ...body.wagerWin, ...noKey }],
    ['collectWin without a key', 'collectWin', { token: 't', gameRound: 'round-1' }],
    ['getTokenForGameRound', 'getTokenForGameRound', body.getTokenForGameRound],
    ['setPlayerData', 'setPlayerData', body.setPlayerData],
    ['getRandomResult, which would draw again', 'getRandomResult', body.getRandomResult],
  ])('of %s would count again: 401', async (_, name, message) => {
    const [first, second] = await repeat(name, message);
    expect([first?.status, second?.status]).toEqual([200, 401]);
    expect(rig.worked).toHaveLength(1);
    expect(rig.findings).toMatchObject([{ id: 'exactRepeat', call: name }]);
  });

  test('addWin with a transaction id alone, or an rngCallId alone, has a key', async () => {
    const ofTransaction = { ...noKey, externalGameProviderTransactionId: 't1' };
    const ofDraw = { ...noKey, rngResult: { rngCallId: 'r1', winAmount: 1 } };
    for (const message of [ofTransaction, ofDraw]) {
      const [, second] = await repeat('addWin', message);
      expect(second?.status).toBe(200);
    }
  });
});

describe('X-Request-Id is for logs, and no idempotency key (E2.5)', () => {
  test('two calls with one id are worked twice, which is a finding', async () => {
    const headers = { 'X-Request-Id': 'same' };
    for (const path of ['/getGameRoundInfo', '/endGameRound']) {
      expect((await rig.send({ path, body: round, headers })).status).toBe(200);
    }
    expect(rig.worked).toHaveLength(2);
    expect(rig.findings).toMatchObject([
      { id: 'requestIdRepeated', rule: 'E2.5', call: 'endGameRound' },
    ]);
  });

  test('a finding repeats nothing that was received, and a listener that throws fails no call', async () => {
    await rig.close();
    rig = await createRig({
      onFinding: () => {
        throw new Error('the listener broke');
      },
      onCall: () => {
        throw new Error('the listener broke');
      },
    });
    const headers = { 'X-Request-Id': 'same' };
    for (let at = 0; at < 2; at++) {
      const reply = await rig.send({ path: '/getGameRoundInfo', body: round, headers });
      expect(reply.status).toBe(200);
    }
  });
});

test('the names of an event are those of the call, without body, query or signature', async () => {
  const headers = {
    'X-Request-Id': 'r-1',
    'X-Response-Id': 'r-2',
    'X-Forwarded-Response-Id': 'r-3',
  };
  await rig.send({ path: '/endGameRound?token=hush', body: round, headers });
  const { request, ...event } = rig.events[0] ?? { request: null };
  expect(event).toEqual({
    cause: null,
    call: 'endGameRound',
    method: 'POST',
    path: '/endGameRound',
    verdict: 'verified',
    signed: 'body',
    callerId: 'studio-1',
    claimedId: null,
    gameRound: 'round-1',
    requestId: 'r-1',
    responseId: 'r-2',
    forwardedResponseId: 'r-3',
    isRepeat: false,
    status: 200,
    error: null,
    durationMs: expect.any(Number),
  });
  expect(request?.url).toBe('/endGameRound?token=hush');
  expect(JSON.stringify(event)).not.toMatch(new RegExp(`hush|${secret}`));
});
