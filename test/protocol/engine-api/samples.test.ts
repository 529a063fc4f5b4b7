import { describe, expect, test } from '@jest/globals';

import { readConfiguration as readForOperator } from '../../../lib/operator/client/read-reply';
import { writeConfiguration } from '../../../lib/provider/http/written';
import { readReply } from '../../../lib/protocol/engine-api/read-reply';
import { readRequest } from '../../../lib/protocol/engine-api/read-request';
import { writeReply } from '../../../lib/protocol/engine-api/write-reply';
import { parseJson } from '../../../lib/protocol/json/parse';
import { readConfiguration } from '../../../lib/rgs/client/read-configuration';

describe('bodies as public documentation shows them', () => {
  test('a start with the amount as a text, and a free play', () => {
    const body = `{"token":"8e1d","rngResult":{"rngCallId":"1","result":"3,3,3","winAmount":0},"endGame":"false",
      "debitInformation":{"debitAmount":"100","currency":"EUR","useTicketInfo":{"useTicket":true}},
      "externalGameProviderRoundId":"3f0c9b1f5c2a4f7f8f0f6a1b2c3d4e5f"}`;
    expect(readRequest('startGameRound', parseJson(body))).toMatchObject({
      debitInformation: { debitAmount: 100n, useTicket: true },
      endGame: false,
    });
  });

  test('a spin counter whose gameStateResult is a map', () => {
    const body = `{"token":"t","gameRound":"r","counterType":"customspin",
      "rngResult":{"rngCallId":"c1","result":{"awarded":10},"winAmount":0},"gameStateResult":{"level":"2"}}`;
    expect(readRequest('addSpinCounterGameState', parseJson(body))).toMatchObject({
      awarded: 10,
      used: 0,
      gameStateResult: '{"level":"2"}',
    });
  });

  test('player data, whose payload is at data.data', () => {
    const body =
      '{"token":"t","data":{"currency":"","stake":0,"data":"{\\"level\\":2}","updated":null}}';
    expect(readRequest('setPlayerData', parseJson(body))).toMatchObject({
      currency: '',
      stake: 0n,
      data: '"{\\"level\\":2}"',
    });
  });

  test('random numbers without a count', () => {
    const body = '{"token":"t","rngEndPoint":"getDoubles","rngPayload":{"max":1,"min":0}}';
    expect(readRequest('getRandomResult', parseJson(body)).count).toBe(1);
  });

  test('a reply to getRandomResult without rngRequestId', () => {
    const tokenData =
      '{"operatorId":"o","playerId":"p","gameId":"g","mode":"REAL","currency":"EUR","currentToken":"t"}';
    const body = `{"tokenData":${tokenData},"values":[0.25,0.5]}`;
    const { values, rngRequestId } = readReply('getRandomResult', parseJson(body));
    expect({ values, rngRequestId }).toEqual({ values: [0.25, 0.5], rngRequestId: null });
  });

  test.each([
    ['9007199254740991', 9_007_199_254_740_991n],
    ['9007199254740992', 9_007_199_254_740_992n],
    ['90071992547409910001', 90_071_992_547_409_910_001n],
    ['-9007199254740993', -9_007_199_254_740_993n],
    ['1e3', 1000n],
  ])('what a package has won in all is exact above 2^53-1 too: %s (E18.3)', (written, won) => {
    const round = `{"tokenData":{"operatorId":"o","playerId":"p","gameId":"g","mode":"REAL","currency":"EUR",
      "currentToken":"t"},"gameRoundInfo":{"hash":"r","status":"open"},"gameState":[],"amountToCollect":0,
      "freePlayInfo":{"used":2,"granted":5,"won":${written},"isLast":false}}`;
    expect(readReply('addWin', parseJson(round)).freePlayInfo).toMatchObject({ won });
  });

  test.each(['1.5', '1e40', `1${'0'.repeat(40)}`])(
    'what a package has won is refused where it is no whole number that can be written out: %s',
    (written) => {
      const round = `{"tokenData":{"operatorId":"o","playerId":"p","gameId":"g","mode":"REAL","currency":"EUR",
      "currentToken":"t"},"gameRoundInfo":{"hash":"r","status":"open"},"gameState":[],"amountToCollect":0,
      "freePlayInfo":{"used":2,"granted":5,"won":${written},"isLast":false}}`;
      expect(() => readReply('addWin', parseJson(round))).toThrow('must be a whole number');
    },
  );

  test('free plays: none used of five', () => {
    const round = `{"tokenData":{"operatorId":"o","playerId":"p","gameId":"g","mode":"REAL","currency":"EUR",
      "currentToken":"t","commonDraw":"x"},"gameRoundInfo":{"hash":"r","status":"open"},"gameState":[],"amountToCollect":0,
      "freePlayInfo":{"used":0,"granted":5,"won":0,"isLast":"false","promotions":{"protocolVersion":1,"data":""}},
      "freePlaysAvailable":[{"currency":"EUR","stake":100,"count":5}]}`;
    const reply = readReply('getGameRoundInfo', parseJson(round));
    expect(reply.freePlayInfo).toMatchObject({ used: 0, granted: 5, won: 0n, isLast: false });
    expect(reply.freePlaysAvailable).toMatchObject([{ currency: 'EUR', stake: 100n, count: 5 }]);
    expect(reply.tokenData.further).toMatchObject({ commonDraw: 'x' });
  });
});

describe('the sample configuration, from the provider to the operator (C3, E21.3)', () => {
  const question = {
    gameProviderId: 'studio-1',
    gameCode: 'game-bells',
    currency: 'EUR',
    currencyMultiplier: '1',
  };
  const sample = {
    stakes: [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000],
    currency: 'EUR',
    currencyMultiplier: 1,
    expectedRtp: 96.19,
    oneHundredXOdds: 5522,
    maxWinOdds: 103680,
    maxPayout: 1000,
    maxPayoutOdds: 2488327800,
    maxExposure: 10000000,
    calculatedMaxExposure: 10000000,
    operator: 'internal_testoperator',
    winlineCount: 5,
  };
  const written = writeConfiguration(sample, question);

  test('the service reads what the provider wrote', () => {
    const read = readConfiguration(parseJson(written), written, question);
    expect(read).toEqual({
      stakes: sample.stakes.map(BigInt),
      currency: 'EUR',
      currencyMultiplier: '1',
      text: written,
    });
  });

  test('the operator reads what the service passes on', () => {
    expect(readForOperator(parseJson(written), 'EUR')).toMatchObject({
      gameCode: 'game-bells',
      stakes: sample.stakes.map(String),
      expectedRtp: '96.19',
      maxPayoutOdds: '2488327800',
      operator: 'internal_testoperator',
    });
  });
});

test('a reply says amounts and decimals as numbers, digit by digit, and leaves out what is absent (C2)', () => {
  const tokenData = {
    operatorId: 'casino',
    playerId: 'ann',
    gameId: 'game-bells',
    mode: 'REAL',
    currency: 'EUR',
    currentToken: 't',
    gameRound: 'r',
    walletMode: 'real',
    language: 'EN',
    currencyMultiplier: '1.50',
    device: null,
  };
  const body = writeReply('addWin', {
    tokenData,
    balance: null,
    gameRoundInfo: {
      hash: 'r',
      status: 'open',
      stake: 150n,
      baseStake: '100',
      mode: 'REAL',
      currency: 'EUR',
      game: 'game-bells',
      currencyMultiplier: '1.50',
    },
    gameState: [],
    amountToCollect: 9007199254740991n,
    amountCredited: 0n,
    freePlayInfo: null,
    freePlaysAvailable: [],
    passThroughData: { outcome: 'open', creditPending: '0' },
    protectedInfo: null,
    spinsAvailable: null,
  });
  expect(body).toContain('"currencyMultiplier":1.50');
  expect(body).toContain('"amountToCollect":9007199254740991');
  expect(Object.keys(JSON.parse(body) as object)).toEqual([
    'commonGameRoundInfo',
    'tokenData',
    'gameRoundInfo',
    'gameState',
    'amountToCollect',
    'amountCredited',
    'passThroughData',
  ]);
  expect(body).not.toContain('null');
});
