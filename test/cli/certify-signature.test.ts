import { generateKeyPairSync } from 'node:crypto';

import { describe, expect, test } from '@jest/globals';

import { checkReport, signatureLineOf } from '../../lib/cli/certify/signature';
import { noteSigner, signNote } from '../../lib/operator/archive/tlog';
import { canonicalText } from '../../lib/proof/certify/report/canonical';
import { jsonReport } from '../../lib/proof/certify/report/json';
import { everyCase, sample } from '../proof/certify/report/sample';

const newKey = (name = 'casino.example/certification') =>
  noteSigner(name, generateKeyPairSync('ed25519').privateKey);
const key = newKey();
const signed = sample({ cases: everyCase.slice(2, 4), timings: sample().timings.slice(0, 1) });
const text = jsonReport(signed, (digest) => signatureLineOf(digest, key));
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
const document = JSON.parse(text) as { [name: string]: Json };

const faultOf = (report: string, by = key) => checkReport(report, by).fault;
const written = (value: Json) => JSON.stringify(value, null, 2);

/** A value that is not the given one. */
function other(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return value === '' ? 'x' : `${value.slice(0, -1)}\u0001`;
  return value === null ? 'x' : null;
}

/** A document for each place in it, with another value there, without it, or with one thing more. */
function* alterations(value: Json, path = ''): Generator<readonly [string, Json]> {
  yield [`${path}: another value`, other(value)];
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    yield [`${path}: one more`, [...value, value[0] ?? 'x']];
    for (const [at, item] of value.entries()) {
      yield [`${path}/${at}: left out`, value.toSpliced(at, 1)];
      for (const [what, next] of alterations(item, `${path}/${at}`))
        yield [what, value.with(at, next)];
    }
    return;
  }
  yield [`${path}: one more`, { ...value, more: 'x' }];
  for (const [name, item] of Object.entries(value)) {
    const { [name]: _, ...rest } = value;
    yield [`${path}/${name}: left out`, rest];
    for (const [what, next] of alterations(item, `${path}/${name}`)) {
      yield [what, { ...value, [name]: next }];
    }
  }
}

describe('a signed report', () => {
  test('is signed by its key, and by no other, nor by one of the same name', () => {
    expect(faultOf(text)).toBeNull();
    for (const one of [newKey(), newKey('another.example')]) {
      expect(faultOf(text, one)).toBe(`the signature is not one of ${one.vkey}`);
    }
  });

  test('is noticed to be altered wherever it is altered', () => {
    const unnoticed: string[] = [];
    let count = 0;
    for (const [what, value] of alterations(document)) {
      count += 1;
      if (faultOf(written(value)) === null) unnoticed.push(what);
    }
    expect(unnoticed).toEqual([]);
    expect(count).toBeGreaterThan(400);
  });

  test('may be altered in white space between its parts and in the order of members, and is the same', () => {
    const reversed = Object.fromEntries(Object.entries(document).toReversed());
    const tabs = JSON.stringify(document, null, '\t').replaceAll('\n', '\r\n');
    for (const same of [JSON.stringify(document), tabs, written(reversed), ` ${text}\n\n`]) {
      // Characters that are escaped in a report stay so.
      const escaped = same.replace(
        /[^\P{C}\r\n\t]|[\p{Zl}\p{Zp}]/gu,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      expect(faultOf(escaped)).toBeNull();
    }
  });

  test.each([
    ['a name that stands twice', (report: string) => report.replace('{', '{"outcome": "failed",')],
    [
      'a name twice, the first one changed',
      (report: string) =>
        report.replace('"outcome": "failed"', '"outcome": "passed", "outcome": "failed"'),
    ],
    [
      'a number in another spelling',
      (report: string) => report.replace('"seed": 42', '"seed": 42.0'),
    ],
    [
      'a number beyond all numbers',
      (report: string) => report.replace('"upToMs": null', '"upToMs": 1e999'),
    ],
    ['zero below zero', (report: string) => report.replace('"count": 0', '"count": -0')],
    [
      'a character in another spelling',
      (report: string) => report.replace('my-casino', 'm\\u0079-casino'),
    ],
    ['white space within a text', (report: string) => report.replace('my-casino', 'my-casino ')],
    ['white space that JSON does not know', (report: string) => `\u00a0${report}`],
    ['something after its end', (report: string) => `${report}{}`],
  ])('is noticed to be altered by %s', (_, alter) => {
    expect(alter(text)).not.toBe(text);
    expect(faultOf(alter(text))).not.toBeNull();
  });

  test('is no report whose signature was taken away, or made for another text', () => {
    expect(faultOf(jsonReport(sample()))).toBe('it is not signed');
    const bare = signNote(`${(document['signature'] as { digest: string }).digest}\n`, [key]);
    const line = bare.trimEnd().split('\n').at(-1) ?? '';
    const forged = jsonReport(sample(), () => line);
    expect(faultOf(forged)).toBe(`the signature is not one of ${key.vkey}`);
  });

  test.each(['', 'null', '[]', '{', '{"signature": null}', '['.repeat(100_000)])(
    'is not %.20s',
    (report) => {
      expect(faultOf(report)).toMatch(/^it is no /);
    },
  );
});

test('the canonical form is that of RFC 8785', () => {
  // Sections 3.2.2 and 3.2.3 of the RFC.
  const value = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000f\nA\'B"\\\\"/',
    literals: [null, true, false],
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\u05d9': 'Hebrew',
    '1': 'One',
    '\u0080': 'Control',
    '\u{1f600}': 'Smiley',
    '\ufb33': 'Dalet',
  };
  expect(canonicalText(value)).toBe(
    `{"\\r":"Carriage Return","1":"One","literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"\u20ac$\\u000f\\nA'B\\"\\\\\\\\\\"/","\u0080":"Control","\u05d9":"Hebrew","\u20ac":"Euro Sign","\u{1f600}":"Smiley","\ufb33":"Dalet"}`,
  );
});
