import { describe, expect, test } from '@jest/globals';
import type { Call, Transaction } from '../../../lib/protocol/operator-api/transaction';
import { readCall } from '../../../lib/protocol/operator-api/read-call';
import { RequestRefusedError } from '../../../lib/protocol/operator-api/catalogue';
import { parseJson } from '../../../lib/protocol/json/parse';

/** Reads a call of these transactions, given as JSON texts. */
function readTexts(texts: readonly string[], count = String(texts.length)): Call {
  const members = `"playerId":"P","gameCode":"G","gameRound":"R","transactions":[${texts.join()}]`;
  return readCall(parseJson(`{${members},"transactionCount":${count}}`), 4);
}

function readOne(text: string): Transaction {
  return readTexts([text]).transactions[0] as Transaction;
}

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof RequestRefusedError) return `${error.code} ${error.detail ?? ''}`.trim();
    throw error;
  }
  throw new Error('it was taken');
}

const debit = {
  type: 'debit',
  hash: 'h',
  currency: 'EUR',
  amount: 105_000n,
  discount: 0n,
  isFirstDebit: null,
  serial: null,
};

describe('a transaction is read', () => {
  test('with its type in any letter case (D2.3)', () => {
    for (const type of ['debit', 'DEBIT', 'Debit', 'dEbIt']) {
      expect(readOne(`{"type":"${type}","hash":"h","currency":"EUR","amount":10.50}`)).toEqual(
        debit,
      );
    }
    expect(readOne('{"type":"VOID","hash":"h","currency":"EUR","amount":10.50}')).toEqual({
      type: 'void',
      hash: 'h',
      currency: 'EUR',
      amount: 105_000n,
    });
    expect(readOne('{"type":"End","hash":"h","timestamp":"2026-01-01T00:00:00Z"}')).toEqual({
      type: 'end',
      hash: 'h',
    });
    expect(readOne('{"type":"CREDIT","hash":"h","currency":"EUR","amount":0}')).toEqual({
      type: 'credit',
      hash: 'h',
      currency: 'EUR',
      amount: 0n,
      serial: null,
    });
  });

  test.each([
    ['true', true],
    ['"true"', true],
    ['"TRUE"', true],
    ['false', false],
    ['"false"', false],
    ['null', null],
  ])('with isFirstDebit of %s as %s (D2.3)', (text, isFirstDebit) => {
    const wire = `{"type":"debit","hash":"h","currency":"EUR","amount":10.5,"isFirstDebit":${text}}`;
    expect(readOne(wire)).toEqual({ ...debit, isFirstDebit });
  });

  test.each([
    ['freePlayUsed true, no amount', '"freePlayUsed":true'],
    ['freePlayUsed "true", amount 0', '"freePlayUsed":"true","amount":0'],
    ['freePlayUsed true, amount null', '"freePlayUsed":true,"amount":null'],
  ])('as a free play with %s (D2.4)', (_, members) => {
    const read = readOne(`{"type":"debit","hash":"h","currency":"EUR",${members}}`);
    expect(read).toEqual({ ...debit, amount: 0n });
  });

  test('as a free play with a serial alone (D2.4)', () => {
    const read = readOne('{"type":"debit","hash":"h","currency":"EUR","serial":"S"}');
    expect(read).toEqual({ ...debit, amount: 0n, serial: 'S' });
  });

  test('with its discount beside the full amount', () => {
    const wire = '{"type":"debit","hash":"h","currency":"EUR","amount":10.5,"discountAmount":0.5}';
    expect(readOne(wire)).toEqual({ ...debit, discount: 5_000n });
  });

  test('as a void without amount and currency, or with an invalid currency', () => {
    const bare = { type: 'void', hash: 'h', amount: null, currency: null };
    expect(readOne('{"type":"void","hash":"h"}')).toEqual(bare);
    expect(readOne('{"type":"void","hash":"h","amount":null,"currency":"euro"}')).toEqual(bare);
  });

  test('as an end with an amount of 0', () => {
    expect(readOne('{"type":"end","hash":"h","amount":0.00}')).toEqual({ type: 'end', hash: 'h' });
  });
});

describe('a transaction is refused with 19, naming the field', () => {
  test.each([
    ['a debit without amount', '{"type":"debit","hash":"h","currency":"EUR"}', 'amount'],
    ['a debit without currency', '{"type":"debit","hash":"h","amount":1}', 'currency'],
    ['a free play without currency', '{"type":"debit","hash":"h","freePlayUsed":true}', 'currency'],
    [
      'a free play with an amount',
      '{"type":"debit","hash":"h","currency":"EUR","amount":1,"freePlayUsed":true}',
      'amount',
    ],
    [
      'a serial with an amount',
      '{"type":"debit","hash":"h","currency":"EUR","amount":1,"serial":"S"}',
      'amount',
    ],
    [
      'freePlayUsed "false" without amount',
      '{"type":"debit","hash":"h","currency":"EUR","freePlayUsed":"false"}',
      'amount',
    ],
    ['a credit without amount', '{"type":"credit","hash":"h","currency":"EUR"}', 'amount'],
    ['a credit without currency', '{"type":"credit","hash":"h","amount":1}', 'currency'],
    [
      'a lower-case currency',
      '{"type":"credit","hash":"h","amount":1,"currency":"eur"}',
      'currency',
    ],
    ['a negative amount', '{"type":"credit","hash":"h","amount":-1,"currency":"EUR"}', 'amount'],
    ['five decimals', '{"type":"credit","hash":"h","amount":0.00001,"currency":"EUR"}', 'amount'],
    [
      'more than 2^53-1 units',
      '{"type":"credit","hash":"h","amount":9007199254740992,"currency":"EUR"}',
      'amount',
    ],
    ['an end with an amount', '{"type":"end","hash":"h","amount":1}', 'amount'],
    ['a void of a negative amount', '{"type":"void","hash":"h","amount":-1}', 'amount'],
    [
      'a discount above the amount',
      '{"type":"debit","hash":"h","currency":"EUR","amount":1,"discountAmount":2}',
      'discountAmount',
    ],
    ['a hash with #', '{"type":"end","hash":"h#"}', 'hash'],
    ['a serial with #', '{"type":"debit","hash":"h","currency":"EUR","serial":"#"}', 'serial'],
  ])('%s', (_, text, field) => {
    expect(refusal(() => readOne(text))).toMatch(
      new RegExp(`^INVALIDPARAMETER transactions/0/${field} `),
    );
  });

  test('saying which of them it is, without repeating what it holds', () => {
    const told = refusal(() =>
      readTexts(['{"type":"end","hash":"h"}', '{"type":"credit","hash":"x","amount":-4711}']),
    );
    expect(told).toMatch(/transactions\/1\//);
    expect(told).not.toContain('4711');
  });
});

test('a transactionCount that is not the length is refused with 16 (D2.2)', () => {
  const end = '{"type":"end","hash":"h"}';
  for (const count of ['0', '2', '1.5', '-1', 'null']) {
    expect(refusal(() => readTexts([end], count))).toBe('TRANSACTIONCOUNTWRONG');
  }
  expect(readTexts([end], '1.0').transactions).toHaveLength(1);
});
