import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { EngineReplies } from '../../../lib/protocol/engine-api/replies';
import { readReply } from '../../../lib/protocol/engine-api/read-reply';
import {
  writeConnectReply,
  writeError,
  writeReply,
} from '../../../lib/protocol/engine-api/write-reply';
import { type EngineCall, engineSchemas } from '../../../lib/protocol/engine-api/requests';
import { MessageFault } from '../../../lib/protocol/json/documents';
import { parseJson } from '../../../lib/protocol/json/parse';
import { anyConnectReply, anyReply } from './any-reply';

const calls = Object.keys(anyReply) as EngineCall[];
const ownSchemas: Partial<Record<EngineCall, Parameters<typeof engineSchemas.findFault>[0]>> = {
  getUncollectedAmount: 'amount-reply',
  getAvailableSpinCounter: 'spin-counter-reply',
  getTokenForGameRound: 'token-data-reply',
  getTokenData: 'token-data-reply',
  getBalance: 'balance',
  getLastGameRounds: 'last-game-rounds-reply',
  getPlayerData: 'player-data-reply',
  setPlayerData: 'player-data-reply',
  getRandomResult: 'random-result-reply',
  testPing: 'test-ping-reply',
  getOperatorSettings: 'game-settings',
};

function checkReplies(name: EngineCall): void {
  fc.assert(
    fc.property(anyReply[name] as fc.Arbitrary<EngineReplies[EngineCall]>, (reply) => {
      const body = writeReply(name, reply);
      const schema = ownSchemas[name] ?? 'round-reply';
      expect(engineSchemas.findFault(schema, JSON.parse(body))).toBeNull();
      expect(readReply(name, parseJson(body))).toEqual(reply);
    }),
    { numRuns: 30 },
  );
}

describe('a reply that is written fits its schema, and is read as it was (C2)', () => {
  test.each(calls)('%s', (name) => checkReplies(name));

  test('the reply of connect fits its schema', () => {
    fc.assert(
      fc.property(anyConnectReply, (reply) => {
        const body = JSON.parse(writeConnectReply(reply)) as unknown;
        expect(engineSchemas.findFault('connect-reply', body)).toBeNull();
      }),
      { numRuns: 30 },
    );
  });

  test('the reply to a refused call fits its schema (E3.1)', () => {
    const error = {
      id: 13,
      msg: 'The gameround is not open. (E6)',
      clientmsg: 'This game is over.',
    };
    const body = writeError(error);
    expect(JSON.parse(body)).toEqual({ errorCode: error });
    expect(engineSchemas.findFault('error-reply', JSON.parse(body))).toBeNull();
  });
});

const tokenData =
  '{"operatorId":"casino","playerId":"ann","gameId":"game-bells","mode":"REAL","currency":"EUR","currentToken":"t"}';
const roundOf = (members: string): string =>
  `{"tokenData":${tokenData},"gameRoundInfo":{"hash":"r","status":"open"},"gameState":[],"amountToCollect":0${members}}`;

describe('an amount in a reply is exact', () => {
  test.each([
    ['250', 250n],
    ['250.00', 250n],
    ['2.5e2', 250n],
    ['"250"', 250n],
    ['9007199254740991', 9007199254740991n],
    ['-5', -5n],
  ])('%s is %s units', (number, units) => {
    const reply = readReply('addWin', parseJson(roundOf(`,"amountCredited":${number}`)));
    expect(reply.amountCredited).toBe(units);
  });

  test.each(['250.5', '9007199254740992', '"2.5"', '"x"', 'true', '1e30'])(
    '%s is a fault',
    (number) => {
      const body = parseJson(roundOf(`,"amountCredited":${number}`));
      expect(() => readReply('addWin', body)).toThrow(MessageFault);
    },
  );
});

test('what the schema does not require may be absent or null; an unknown member is further, exact (C2)', () => {
  const body = roundOf(
    ',"balance":null,"freePlayInfo":null,"x":{"rate":1.50},"passThroughData":{"a":1.0}',
  );
  const reply = readReply('getGameRoundInfo', parseJson(body));
  expect(reply).toMatchObject({ balance: null, amountCredited: null, freePlaysAvailable: [] });
  expect(reply.gameRoundInfo).toMatchObject({ stake: null, currency: null });
  expect(reply.tokenData).toMatchObject({ gameRound: null, walletMode: null });
  expect(reply.passThroughData).toEqual({ a: '1.0' });
  expect(reply.further).toMatchObject({ x: { rate: { text: '1.50' } } });
});

test.each([
  [
    'tokenData',
    '{"gameRoundInfo":{"hash":"r","status":"open"},"gameState":[],"amountToCollect":0}',
  ],
  ['tokenData/currentToken', roundOf('').replace(',"currentToken":"t"', '')],
  ['amountToCollect', roundOf('').replace(',"amountToCollect":0', '')],
  ['balance/balances', roundOf(',"balance":{}')],
  ['', '[]'],
])('a reply without %s is a fault there', (field, body) => {
  const read = () => readReply('addWin', parseJson(body));
  expect(read).toThrow(MessageFault);
  expect(read).toThrow(expect.objectContaining({ pointer: field === '' ? '' : `/${field}` }));
});
