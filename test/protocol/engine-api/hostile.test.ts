import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { EngineCall } from '../../../lib/protocol/engine-api/requests';
import { EngineRefusedError } from '../../../lib/protocol/engine-api/errors';
import { readReply } from '../../../lib/protocol/engine-api/read-reply';
import { readRequest } from '../../../lib/protocol/engine-api/read-request';
import { type JsonDocument, parseJson } from '../../../lib/protocol/json/parse';
import { MessageFault } from '../../../lib/protocol/json/documents';
import { bodyOf, calls, fieldsOf } from './request-bodies';

const scraps = fc.constantFrom(
  'null',
  '1e999',
  '-0',
  '1e400',
  '{"a":null}',
  '[[]]',
  '""',
  '"\\u0000"',
);
const json = fc.oneof(scraps, fc.json({ maxDepth: 3 }));

/** The text parsed; null where the strict parser refuses it. */
function parsed(text: string): JsonDocument | null {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Whether reading ends in a value or in the one error that it may throw. */
function isOrderly(read: () => unknown, refusal: typeof EngineRefusedError | typeof MessageFault) {
  try {
    return read() !== undefined;
  } catch (error) {
    return error instanceof refusal;
  }
}

describe('whatever a body holds, it is read or refused by 19', () => {
  test.each(calls)('%s', (name) => {
    const paths = fc.constantFrom('', ...fieldsOf(name).map(({ path }) => path));
    fc.assert(
      fc.property(paths, json, (path, value) => {
        const document = parsed(path === '' ? value : bodyOf(name, path, value));
        fc.pre(document !== null);
        expect(isOrderly(() => readRequest(name, document), EngineRefusedError)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

const tokenData = `"tokenData":{"operatorId":"o","playerId":"p","gameId":"g","mode":"m","currency":"EUR","currentToken":"t"}`;
const round = `${tokenData},"gameRoundInfo":{"hash":"r","status":"open"},"gameState":[],"amountToCollect":0`;
const members = [
  'tokenData',
  'balance',
  'gameRoundInfo',
  'gameState',
  'amountToCollect',
  'amountCredited',
  'freePlayInfo',
  'freePlaysAvailable',
  'passThroughData',
  'protectedInfo',
  'spinsAvailable',
  'values',
  'data',
  'testDataReceived',
  'gameRounds',
  'balances',
];

describe('whatever a reply holds, it is read or is a fault', () => {
  test.each<EngineCall>([
    'addWin',
    'getBalance',
    'getPlayerData',
    'getRandomResult',
    'testPing',
    'getOperatorSettings',
    'getLastGameRounds',
    'getAvailableSpinCounter',
  ])('%s', (name) => {
    fc.assert(
      fc.property(fc.constantFrom(...members), json, (member, value) => {
        const own = new RegExp(`"${member}":(?:\\{[^}]*\\}|\\[\\]|0),?`);
        const others = round.replace(own, '').replace(/,$/, '');
        const document = parsed(`{"${member}":${value},${others}}`);
        fc.pre(document !== null);
        expect(isOrderly(() => readReply(name, document), MessageFault)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
