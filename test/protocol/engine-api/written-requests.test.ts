import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { EngineRequests } from '../../../lib/protocol/engine-api/requests';
import {
  type PostedCall,
  readRequest,
  readSettingsQuery,
} from '../../../lib/protocol/engine-api/read-request';
import { readReply } from '../../../lib/protocol/engine-api/read-reply';
import { writeReply } from '../../../lib/protocol/engine-api/write-reply';
import { writeRequest, writeSettingsQuery } from '../../../lib/protocol/engine-api/write-request';
import { MessageFault } from '../../../lib/protocol/json/documents';
import { parseJson } from '../../../lib/protocol/json/parse';
import { readQuery } from '../../../lib/protocol/operator-api/read-call';
import { anyRequest, type Sent } from './any-request';
import { calls } from './request-bodies';

/** Lists in lists. */
function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}

function checkRequests(name: PostedCall): void {
  const requests = anyRequest[name] as fc.Arbitrary<Sent<PostedCall>>;
  fc.assert(
    fc.property(requests, ({ given, read }) => {
      const body = writeRequest(name, given);
      const known: EngineRequests[PostedCall] = readRequest(name, parseJson(body));
      expect(known).toEqual(read);
    }),
    { numRuns: 40 },
  );
}

describe('a request that the provider writes is read by the service as it was given (C1, S1)', () => {
  test.each(calls)('%s', (name) => checkRequests(name));

  test('getOperatorSettings, whose request is a query', () => {
    const request = { game: 'bells & co', operator: 'casino+1', currency: 'EUR' };
    const query = writeSettingsQuery(request);
    expect(readSettingsQuery(readQuery(`/getOperatorSettings${query}`))).toEqual(request);
    expect(() => writeSettingsQuery({ ...request, currency: 'euro' })).toThrow(MessageFault);
  });
});

describe('amounts are written as JSON integers, digit by digit (E4.1)', () => {
  test.each([
    [9007199254740991n, '9007199254740991'],
    [100, '100'],
    ['250', '250'],
    [0n, '0'],
  ])('%p is %s', (amount, written) => {
    const body = writeRequest('collectWin', { token: 't', gameRound: 'r', amount });
    expect(body).toBe(`{"token":"t","gameRound":"r","amount":${written}}`);
  });
});

describe('what the service would refuse for its form is not sent; the fault names the field (S1)', () => {
  const won = { token: 't', gameRound: 'r', rngResult: { winAmount: 1n } };

  test.each<[string, PostedCall, unknown]>([
    ['', 'getBalance', null],
    ['', 'getBalance', []],
    ['/token', 'getBalance', {}],
    ['/rngResult/winAmount', 'addWin', { ...won, rngResult: {} }],
    ['/rngResult/winAmount', 'addWin', { ...won, rngResult: { winAmount: 2n ** 53n } }],
    ['/rngResult/winAmount', 'addWin', { ...won, rngResult: { winAmount: -1n } }],
    ['/rngResult/winAmount', 'addWin', { ...won, rngResult: { winAmount: 1.5 } }],
    ['/rngResult/winAmount', 'addWin', { ...won, rngResult: { winAmount: 2 ** 53 } }],
    ['/rngResult/winAmount', 'addWin', { ...won, rngResult: { winAmount: '1.5' } }],
    ['/rngResult/winAmount', 'addWin', { ...won, rngResult: { winAmount: '007' } }],
    ['/rngResult/winAmount', 'addWin', { ...won, rngResult: { winAmount: Number.NaN } }],
    [
      '/externalGameProviderTransactionId',
      'addWin',
      { ...won, externalGameProviderTransactionId: 'x'.repeat(33) },
    ],
    ['/gameRound', 'addWin', { ...won, gameRound: 'EUR' }],
    ['/collect', 'addWin', { ...won, collect: 1 }],
    ['/testData', 'testPing', { testData: undefined }],
    ['/testData', 'testPing', { testData: Number.POSITIVE_INFINITY }],
    ['/testData/a', 'testPing', { testData: { a: 10n } }],
    ['/testData/a/0', 'testPing', { testData: { a: [() => 1] } }],
    ['/testData', 'testPing', { testData: '\ud800' }],
    ['/data/data', 'setPlayerData', { token: 't', data: { data: null } }],
    ['/data/data', 'setPlayerData', { token: 't', data: { data: 'x'.repeat(65_536) } }],
    ['/data/data', 'setPlayerData', { token: 't', data: { data: nested(14) } }],
    ['/data/expires', 'setPlayerData', { token: 't', data: { data: 1, expires: new Date('x') } }],
    ['/data/expires', 'setPlayerData', { token: 't', data: { data: 1, expires: 'tomorrow' } }],
    ['', 'testPing', { testData: JSON.parse('{"constructor":1}') as unknown }],
  ])('%s of %s', (pointer, name, request) => {
    expect(() => writeRequest(name, request as object)).toThrow(MessageFault);
    expect(() => writeRequest(name, request as object)).toThrow(
      expect.objectContaining({ pointer }),
    );
  });

  test('E20.1: player data of as many levels as fit into the reply is taken, and the reply can be read', () => {
    const body = writeRequest('setPlayerData', { token: 't', data: { data: nested(13) } });
    const { data } = readRequest('setPlayerData', parseJson(body));
    const names = { playerId: 'p', gameId: 'g', currency: '', stake: 0n };
    const entry = { ...names, data, updated: '2026-03-01T12:00:00.000Z', expires: null };
    const reply = writeReply('setPlayerData', { data: [entry] });
    expect(readReply('setPlayerData', parseJson(reply)).data[0]?.data).toBe(data);
  });

  test.each<[string, PostedCall, object, RegExp]>([
    ['', 'addWin', { ...won, colect: true }, /did you mean collect\?$/],
    ['/rngResult', 'addWin', { ...won, rngResult: { winAmont: 1n } }, /did you mean winAmount\?$/],
    ['/data', 'setPlayerData', { token: 't', data: { data: 1, expire: 'x' } }, /expires/],
    [
      '/jackpotPayout',
      'addWin',
      { ...won, jackpotPayout: [{ jackpotId: 'j' }, { jackpotName: 'j' }] },
      /the names are jackpotId, jackpotMode/,
    ],
  ])('an unknown name in %s of %s, with a likely one', (pointer, name, request, problem) => {
    expect(() => writeRequest(name, request)).toThrow(problem);
    expect(() => writeRequest(name, request)).toThrow(expect.objectContaining({ pointer }));
  });
});
