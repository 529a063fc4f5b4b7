import { describe, expect, test } from '@jest/globals';
import { parseJson } from '../../../lib/protocol/json/parse';
import { readSignedParameters, readSignedParts } from '../../../lib/protocol/signature';

const ids = '"playerId":"P","gameCode":"G","gameRound":"R"';

describe('what keeps a doTransactions body from being signed is named (D1.7)', () => {
  test.each([
    ['a text', '"x"', 'the body'],
    ['null', 'null', 'the body'],
    ['an array', '[]', 'the body'],
    ['no playerId', '{"gameCode":"G","gameRound":"R","transactions":[]}', 'playerId'],
    ['a playerId that is a number', '{"playerId":1,"gameCode":"G","gameRound":"R"}', 'playerId'],
    ['a gameCode of null', '{"playerId":"P","gameCode":null,"gameRound":"R"}', 'gameCode'],
    ['a gameRound with #', '{"playerId":"P","gameCode":"G","gameRound":"#"}', 'gameRound'],
    ['no transactions', `{${ids}}`, 'transactions'],
    ['transactions that are no array', `{${ids},"transactions":{}}`, 'transactions'],
    ['a transaction that is null', `{${ids},"transactions":[null]}`, 'transactions/0'],
    ['a transaction that is an array', `{${ids},"transactions":[[]]}`, 'transactions/0'],
    ['no hash', `{${ids},"transactions":[{"hash":"a"},{}]}`, 'transactions/1/hash'],
    ['a hash that is an object', `{${ids},"transactions":[{"hash":{}}]}`, 'transactions/0/hash'],
    [
      'an amount that is a text',
      `{${ids},"transactions":[{"hash":"a","amount":"1"}]}`,
      'transactions/0/amount',
    ],
    [
      'an amount that is an object',
      `{${ids},"transactions":[{"hash":"a","amount":{}}]}`,
      'transactions/0/amount',
    ],
    [
      'an amount of 41 characters',
      `{${ids},"transactions":[{"hash":"a","amount":1.${'0'.repeat(39)}}]}`,
      'transactions/0/amount',
    ],
    [
      'an amount with an exponent of three digits',
      `{${ids},"transactions":[{"hash":"a"},{"hash":"b","amount":1e999}]}`,
      'transactions/1/amount',
    ],
    [
      'a zero with an exponent of three digits',
      `{${ids},"transactions":[{"hash":"a","amount":0e999}]}`,
      'transactions/0/amount',
    ],
  ])('%s', (_, body, field) => {
    expect(readSignedParts('doTransactions', parseJson(body))).toEqual({ parts: null, field });
  });
});

test('an operation that signs nothing of its message still wants a message', () => {
  expect(readSignedParts('getStats', parseJson('{"groupBy":["DAY"]}'))).toEqual({ parts: [] });
  expect(readSignedParts('getStats', parseJson('[]')).parts).toBeNull();
});

test('the parameters of a query are signed in the order of the list', () => {
  const parameters = new Map([
    ['gameCode', 'G'],
    ['currency', 'EUR'],
    ['playerId', 'P'],
  ]);
  const { parts } = readSignedParameters('getBalance', parameters);
  expect(parts?.map(({ text }) => text)).toEqual(['P', 'EUR', 'G']);
  expect(readSignedParameters('getBalance', new Map([['playerId', 'P']]))).toEqual({
    parts: null,
    field: 'currency',
  });
});
