import { createHash, createHmac } from 'node:crypto';
import { inspect } from 'node:util';

import { describe, expect, test } from '@jest/globals';

import { parseJson } from '../../../lib/protocol/json/parse';
import { explainSignature, Secret, type SignedOperation } from '../../../lib/protocol/signature';

const SECRET = 'c2VjcmV0LW9mLXRoZS1jYXNpbm8=';
const ID = 'casino';
const TIMESTAMP = '2024-05-06T07:08:09.120Z';
const BODY = `{
  "playerId": "ann", "gameCode": "bells", "gameRound": "r-1", "transactionCount": 3,
  "transactions": [
    { "type": "debit", "hash": "h-1", "amount": 10.50, "currency": "EUR" },
    { "type": "credit", "hash": "h-2", "amount": 0.00, "currency": "EUR" },
    { "type": "end", "hash": "h-3" }
  ]
}`;

/** Base64 of HMAC-SHA256, made without the code under test. */
function mac(text: string, key: string | Buffer = SECRET): string {
  return createHmac('sha256', key).update(text).digest('base64');
}

function explain(
  signature: string,
  {
    operation = 'doTransactions',
    body = BODY,
    timestamp = TIMESTAMP,
  }: { operation?: SignedOperation; body?: string; timestamp?: string } = {},
) {
  const message = parseJson(body);
  const received = { operation, message, authId: ID, timestamp, signature };
  return explainSignature([new Secret('another-secret-of-it'), new Secret(SECRET)], received);
}

const HEAD = `${ID}#${TIMESTAMP}`;
const FIELDS = 'ann#bells#r-1';
const RIGHT = `${SECRET}#${HEAD}#${FIELDS}#h-1#10.50#h-2#h-3`;

test('a signature by the specification is explained without a deviation, and tells whose secret made it', () => {
  expect(explain(mac(RIGHT))).toEqual({
    kind: 'explained',
    deviations: [],
    accepted: true,
    secretIndex: 1,
  });
});

test('amounts in shortest form are a deviation that the router accepts', () => {
  const finding = explain(mac(RIGHT.replace('10.50', '10.5')));
  expect(finding).toMatchObject({
    deviations: ['amounts in shortest form (10.5 for 10.50)'],
    accepted: true,
  });
});

describe('a single deviation is named', () => {
  const all = `${SECRET}#${HEAD}#${FIELDS}`;
  test.each([
    ['zero amounts signed as well', mac(`${all}#h-1#10.50#h-2#0.00#h-3`)],
    ['zero amounts signed as well, and absent ones as 0', mac(`${all}#h-1#10.50#h-2#0.00#h-3#0`)],
    ['zero and absent amounts signed as empty texts', mac(`${all}#h-1#10.50#h-2##h-3#`)],
    ['amounts without decimals (10)', mac(RIGHT.replace('10.50', '10'))],
    ['amounts with four decimals (10.0000)', mac(RIGHT.replace('10.50', '10.5000'))],
    ['amounts times 100', mac(RIGHT.replace('10.50', '1050'))],
    ['amounts divided by 100', mac(RIGHT.replace('10.50', '0.105'))],
    ['gameCode missing', mac(RIGHT.replace('#bells', ''))],
    ['amount missing', mac(RIGHT.replace('#10.50', ''))],
    ['X-H-TIMESTAMP missing', mac(RIGHT.replace(`#${TIMESTAMP}`, ''))],
    [
      'gameRound in the place of gameCode, and the reverse',
      mac(RIGHT.replace('bells#r-1', 'r-1#bells')),
    ],
    ['amount in the place of hash, and the reverse', mac(`${all}#10.50#h-1#h-2#h-3`)],
    ['every hash, then every amount, not item by item', mac(`${all}#h-1#h-2#h-3#10.50`)],
    ['X-H-TIMESTAMP signed without milliseconds', mac(RIGHT.replace('.120Z', 'Z'))],
    ['X-H-TIMESTAMP signed with +00:00', mac(RIGHT.replace('.120Z', '.120+00:00'))],
    [
      'X-H-TIMESTAMP signed in milliseconds since 1970',
      mac(RIGHT.replace(TIMESTAMP, String(Date.parse(TIMESTAMP)))),
    ],
    ['the secret missing at the front of the signed string', mac(RIGHT.slice(SECRET.length + 1))],
    [
      'a newline at the end of the secret',
      mac(RIGHT.replace(SECRET, `${SECRET}\n`), `${SECRET}\n`),
    ],
    ['a space at the end of the secret', mac(RIGHT.replace(SECRET, `${SECRET} `), `${SECRET} `)],
    ['the secret decoded from base64 to be the key', mac(RIGHT, Buffer.from(SECRET, 'base64'))],
    ['a newline at the end of the signed string', mac(`${RIGHT}\n`)],
    ['# at the end of the signed string', mac(`${RIGHT}#`)],
    ['the fields joined without #', mac(RIGHT.replaceAll('#', ''))],
    [
      'the signature in hex instead of base64',
      Buffer.from(mac(RIGHT), 'base64').toString('hex').toUpperCase(),
    ],
    ['white space around the signature', `${mac(RIGHT)}\n`],
    ['the signature in base64 that is not canonical', mac(RIGHT).replace('=', '')],
  ])('%s', (deviation, signature) => {
    const finding = explain(signature);
    expect(finding).toEqual({
      kind: 'explained',
      deviations: [deviation],
      accepted: false,
      secretIndex: 1,
    });
  });
});

test('whole amounts signed with decimals are distinguished from shortened ones', () => {
  const body = BODY.replace('10.50', '10');
  const whole = RIGHT.replace('10.50', '10');
  expect(explain(mac(whole), { body })).toMatchObject({ deviations: [] });
  expect(explain(mac(whole.replace('#10#', '#10.0#')), { body })).toMatchObject({
    deviations: ['amounts with one decimal (10.0)'],
  });
  expect(explain(mac(whole.replace('#10#', '#10.00#')), { body })).toMatchObject({
    deviations: ['amounts with two decimals (10.00)'],
  });
});

test('three deviations at once are found, each named', () => {
  const text = `${HEAD.replace('.120Z', 'Z')}#${FIELDS}#h-1#10.5#h-2#h-3`;
  expect(explain(mac(text))).toMatchObject({
    deviations: [
      'the secret missing at the front of the signed string',
      'X-H-TIMESTAMP signed without milliseconds',
      'amounts in shortest form (10.5 for 10.50)',
    ],
    accepted: false,
  });
});

test('a signature of another message, or by another secret, stays unexplained', () => {
  const finding = explain(mac(RIGHT, 'a-secret-nobody-here-has'));
  expect(finding).toEqual({ kind: 'unexplained', variantsTried: expect.any(Number) });
  expect(explain(mac(RIGHT.replace('ann', 'bob')))).toMatchObject({ kind: 'unexplained' });
});

test.each([
  ['it is neither base64 nor hex', 'no signature!'],
  [
    'it has 20 bytes in base64, and HMAC-SHA256 has 32; SHA-1 has 20',
    createHash('sha1').update('x').digest('base64'),
  ],
])('what is no HMAC-SHA256 is malformed: %s', (reason, signature) => {
  expect(explain(signature)).toEqual({ kind: 'malformed', reason });
});

test('a message that lacks a signed field names the field', () => {
  const body = BODY.replace('"gameRound"', '"round"');
  expect(explain(mac(RIGHT), { body })).toEqual({ kind: 'unsignable', field: 'gameRound' });
});

describe('every operation is explained by its own fields', () => {
  test.each<[SignedOperation, object, string, string]>([
    ['getBalance', { playerId: 'ann', currency: 'EUR', gameCode: 'bells' }, '#ann#EUR#bells', ''],
    [
      'getBalance',
      { playerId: 'ann', currency: 'EUR', gameCode: 'bells' },
      '#ann#EUR',
      'gameCode missing',
    ],
    [
      'getBalance',
      { playerId: 'ann', currency: 'EUR' },
      '#ann#EUR#',
      '# at the end of the signed string',
    ],
    [
      'assignPlayerFreerounds',
      { playerId: 'ann', gameCode: 'bells', serial: 's', currency: 'EUR', stake: 1, count: 5 },
      '#ann#bells#s#EUR#1.00#5.00',
      'amounts with two decimals (10.00)',
    ],
    [
      'assignPlayerFreerounds',
      { playerId: 'ann', gameCode: 'bells', serial: 's', currency: 'EUR', stake: 1, count: 5 },
      '#ann#bells#s#EUR#5#1',
      'count in the place of stake, and the reverse',
    ],
    ['getStats', { groupBy: ['game'] }, '', ''],
    [
      'getGameConfiguration',
      { gameCode: 'bells', currency: 'EUR' },
      '#EUR#bells',
      'currency in the place of gameCode, and the reverse',
    ],
    ['getGameList', {}, '', ''],
  ])('%s with %j', (operation, message, fields, deviation) => {
    const signature = mac(`${SECRET}#${HEAD}${fields}`);
    const body = JSON.stringify(message);
    expect(explain(signature, { operation, body })).toMatchObject({
      kind: 'explained',
      deviations: deviation === '' ? [] : [deviation],
    });
  });
});

test('a finding never holds the secret', () => {
  const findings = [mac(RIGHT), mac('x'), 'x', mac(RIGHT.slice(SECRET.length + 1))].map((text) =>
    explain(text),
  );
  expect(inspect(findings, { depth: 9 })).not.toContain(SECRET);
});
