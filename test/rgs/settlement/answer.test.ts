import { describe, expect, test } from '@jest/globals';

import type { JsonValue } from '../../../lib/protocol/json/parse';
import {
  type Answer,
  cut,
  meaningOf,
  readReply,
  timeOut,
} from '../../../lib/rgs/settlement/answer';
import { voidOf } from '../../../lib/rgs/settlement/settle';

function bodyOf(document: JsonValue | undefined): Answer {
  return readReply(200, document);
}

describe('a reply as it is read', () => {
  test('O 2.3: hashesProcessed lists each hash with its error, and no error where it was processed', () => {
    const error = { id: 9001, msg: 'BALANCETOOLOW', clientmsg: 'No.' };
    const list = [{ hash: 'd1' }, { hash: 'c1', errorCode: error }];
    expect(readReply(400, { hashesProcessed: list, errorCode: error })).toEqual({
      kind: 'reply',
      status: 400,
      body: {
        hashesProcessed: [
          { hash: 'd1', error: null },
          { hash: 'c1', error: { id: 9001, msg: 'BALANCETOOLOW', clientmsg: 'No.' } },
        ],
        error: { id: 9001, msg: 'BALANCETOOLOW', clientmsg: 'No.' },
      },
    });
  });

  test.each<[string, JsonValue | undefined]>([
    ['invalid JSON', undefined],
    ['a list', []],
    ['a text', 'fine'],
    ['a number', 1],
    ['null', null],
  ])('W1: %s is not a JSON object', (_what, document) => {
    expect(bodyOf(document)).toEqual({ kind: 'reply', status: 200, body: null });
  });

  test.each<[string, JsonValue]>([
    ['no list', {}],
    ['a list that is not one', { hashesProcessed: 'd1' }],
    ['an item that is a text', { hashesProcessed: ['d1'] }],
    ['an item without a hash', { hashesProcessed: [{ errorCode: { id: 1 } }] }],
    ['an item whose hash is a number', { hashesProcessed: [{ hash: 1 }] }],
  ])('W3: %s lists nothing', (_what, document) => {
    expect(bodyOf(document)).toMatchObject({ body: { hashesProcessed: [], error: null } });
  });

  test.each<[string, JsonValue, object | null]>([
    ['an errorCode of null counts as absent', null, null],
    ['an empty object is an error', {}, { id: null, msg: '', clientmsg: null }],
    [
      'a text that fills pages is cut: it is kept with the round',
      { id: 1, msg: 'm'.repeat(5_000), clientmsg: 'c'.repeat(5_000) },
      { id: 1, msg: 'm'.repeat(1_000), clientmsg: 'c'.repeat(1_000) },
    ],
    ['a text is an error', 'no', { id: null, msg: '', clientmsg: null }],
    ['a false is an error', false, { id: null, msg: '', clientmsg: null }],
    ['an id that is a text is no id', { id: '13', msg: 7 }, { id: null, msg: '', clientmsg: null }],
  ])('O 7: %s', (_what, errorCode, error) => {
    expect(bodyOf({ hashesProcessed: [{ hash: 'c1', errorCode }] })).toMatchObject({
      body: { hashesProcessed: [{ hash: 'c1', error }] },
    });
  });
});

describe('what an answer means as a whole (W1)', () => {
  test.each<[number, 'an object' | 'nothing', string]>([
    [200, 'an object', 'success'],
    [299, 'an object', 'success'],
    [200, 'nothing', 'silent'],
    [400, 'an object', 'refusal'],
    [499, 'nothing', 'refusal'],
    [100, 'an object', 'silent'],
    [199, 'an object', 'silent'],
    [300, 'an object', 'silent'],
    [399, 'an object', 'silent'],
    [500, 'an object', 'silent'],
    [599, 'nothing', 'silent'],
    [600, 'an object', 'silent'],
    [Number.NaN, 'an object', 'silent'],
  ])('a %d with %s is %s', (status, body, meaning) => {
    expect(meaningOf(readReply(status, body === 'an object' ? {} : undefined))).toBe(meaning);
  });

  test('a time-out and a connection that is cut are silent', () => {
    expect([meaningOf(timeOut), meaningOf(cut)]).toEqual(['silent', 'silent']);
  });
});

test("W6: a void carries its debit's hash, amount and currency, and nothing else of it", () => {
  const debit = { type: 'debit', hash: 'd1', amount: 100n, currency: 'EUR', isFirstDebit: true };
  expect(voidOf(debit)).toEqual({ type: 'void', hash: 'd1', amount: 100n, currency: 'EUR' });
});
