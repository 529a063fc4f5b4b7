import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ExactNumber, JsonText, type Writable, writeJson } from '../../../lib/protocol/json/write';
import { parseJson } from '../../../lib/protocol/json/parse';

const json = fc.jsonValue({ maxDepth: 4 });

test('what is written is what JSON.stringify writes', () => {
  fc.assert(
    fc.property(json, (value) => expect(writeJson(value as Writable)).toBe(JSON.stringify(value))),
  );
});

test('what is written is read back as the same value', () => {
  const key = fc.string({ unit: 'grapheme' });
  const plain = key.filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));
  const value = fc.dictionary(plain, fc.oneof(key, fc.integer(), fc.boolean(), fc.constant(null)));
  fc.assert(
    fc.property(value, (object) => {
      expect({ ...(parseJson(writeJson(object)).value as object) }).toEqual({ ...object });
    }),
  );
});

test('an exact number is written by its text, which no float could hold', () => {
  const amount = new ExactNumber('900719925474.0991');
  expect(writeJson({ amount, list: [amount] })).toBe(
    '{"amount":900719925474.0991,"list":[900719925474.0991]}',
  );
});

test('a member that is undefined is left out', () => {
  expect(writeJson({ a: undefined, b: null })).toBe('{"b":null}');
});

test('a number that JSON does not have is written as null', () => {
  expect(writeJson([Number.NaN, Number.POSITIVE_INFINITY])).toBe('[null,null]');
});

test('the text of a payload is written as it is, white space and numbers included', () => {
  const data = new JsonText('{ "b": 1.50, "a": [1e2] }');
  expect(writeJson({ data, list: [data] })).toBe(`{"data":${data.text},"list":[${data.text}]}`);
});
