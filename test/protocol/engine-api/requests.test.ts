import { describe, expect, test } from '@jest/globals';

import { EngineRefusedError } from '../../../lib/protocol/engine-api/errors';
import {
  type PostedCall,
  readRequest,
  readSettingsQuery,
  readTokenQuery,
} from '../../../lib/protocol/engine-api/read-request';
import { parseJson } from '../../../lib/protocol/json/parse';

function read<Name extends PostedCall>(name: Name, body: string) {
  return readRequest(name, parseJson(body));
}

/** The refusal of a body, as `id msg`. */
function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (!(error instanceof EngineRefusedError)) throw error;
    return `${error.status} ${error.errorObject.id} ${error.errorObject.msg}`;
  }
  return 'none';
}

describe('a start is read in exact terms (E4.1, E4.3, E7.1)', () => {
  test('amounts may be digits as text, null is absent, unknown members are ignored', () => {
    const start = read(
      'startGameRound',
      `{"token":"t","rngResult":{"result":[null,1.50],"winAmount":null,"betData":{"lines":"20"}},
        "debitInformation":{"debitAmount":"100","currency":"EUR","useTicketInfo":{"useTicket":"true"},"x":[]},
        "creditInformation":null,"endGame":"false","closeOpenGame":null,"betData":{"coins":"2"},
        "externalGameProviderRoundId":"round-1","unknown":{"a":null}}`,
    );
    expect(start).toEqual({
      call: 'startGameRound',
      token: 't',
      rngResult: {
        rngCallId: null,
        result: null,
        winAmount: null,
        betData: { coins: '2', lines: '20' },
      },
      debitInformation: {
        debitAmount: 100n,
        currency: 'EUR',
        externalGameProviderTransactionId: null,
        useTicket: true,
      },
      creditInformation: null,
      endGame: false,
      closeOpenGame: false,
      useJackpot: false,
      externalGameProviderRoundId: 'round-1',
    });
  });

  test('betData beside rngResult may be a text, and is kept under its own name', () => {
    const body = `{"token":"t","rngResult":{},"betData":"20 lines","endGame":true,
      "debitInformation":{"debitAmount":9007199254740991,"currency":"EUR"}}`;
    const { rngResult, debitInformation } = read('startGameRound', body);
    expect(rngResult.betData).toEqual({ betData: '20 lines' });
    expect(debitInformation.debitAmount).toBe(9007199254740991n);
  });

  test('an added bet needs both ids (E8.1)', () => {
    const debit = '"debitInformation":{"debitAmount":1,"currency":"EUR"}';
    const body = `{"token":"t","rngResult":{},"endGame":true,${debit}}`;
    expect(refusalOf(() => read('startGameOrAddBet', body))).toMatch(
      /^400 19 .*is missing\. \(C1\)$/,
    );
  });
});

test('payloads keep what is in them, null and number texts included (E20.1)', () => {
  const data = '{"a":null,"b":[1.50,1e2],"c":{"d":null}}';
  const body = `{"token":"t","data":{"data":${data},"updated":null,"expires":"2026-03-01T12:00:00Z"}}`;
  expect(read('setPlayerData', body)).toEqual({
    token: 't',
    currency: '',
    stake: 0n,
    data,
    expires: Date.UTC(2026, 2, 1, 12),
  });
  expect(read('testPing', '{"testData":null}')).toEqual({ testData: 'null' });
  expect(read('testPing', '{"testData":{"a":[null,1.0]}}').testData).toBe('{"a":[null,1.0]}');
});

test('the query of getOperatorSettings needs each name once (E21.1)', () => {
  const query = [['game', 'game-bells'] as const, ['operator', 'casino'] as const];
  const whole = new Map([...query, ['currency', 'EUR'] as const, ['further', '1'] as const]);
  expect(readSettingsQuery(whole)).toEqual({
    game: 'game-bells',
    operator: 'casino',
    currency: 'EUR',
  });
  expect(refusalOf(() => readSettingsQuery(null))).toMatch(/^400 19 /);
  expect(refusalOf(() => readSettingsQuery(new Map(query)))).toContain('currency is missing');
});

test('the query of a browser needs a token (E5.2)', () => {
  expect(readTokenQuery(new Map([['token', 'abc']]))).toBe('abc');
  expect(refusalOf(() => readTokenQuery(new Map()))).toContain('token is missing');
});

test('a refusal names the field and the rule, and never repeats what came in', () => {
  const body = '{"token":"t","gameRound":"secret#round"}';
  expect(refusalOf(() => read('endGameRound', body))).toMatch(
    /^400 19 .*gameRound must .*\(E4\.2\)$/,
  );
  expect(refusalOf(() => read('endGameRound', body))).not.toContain('secret');
});
