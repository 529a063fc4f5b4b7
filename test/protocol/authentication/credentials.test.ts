import { describe, expect, test } from '@jest/globals';
import { createSeededRandom } from '../../../lib/platform';
import {
  checkDistinctSecrets,
  readCredentials,
} from '../../../lib/protocol/authentication/credentials';
import { findBodyCaller } from '../../../lib/protocol/authentication/callers';
import { Secret, signatureHeaders, signBody } from '../../../lib/protocol/signature';

const nowMs = Date.UTC(2026, 2, 1, 12);
const place = { list: 'createSandbox: providers', idName: 'gameProviderId' };
const body = Buffer.from('{"testData":"Grüße"}');
const [first, second, third] = [
  'first-secret-000000',
  'second-secret-00000',
  'third-secret-000000',
];

function wrap(...callers: readonly (readonly [string, ...string[]])[]) {
  const credentials = callers.map(([id, ...secrets]) => ({ id, secrets }));
  return readCredentials(credentials, createSeededRandom(1), place);
}

function claimBy(id: string, secret: string, bytes: Uint8Array = body) {
  const headers = signBody(new Secret(secret), id, nowMs, bytes);
  return {
    authId: id,
    timestamp: headers[signatureHeaders.timestamp] ?? '',
    signature: headers[signatureHeaders.signature] ?? '',
  };
}

describe('the caller of a signed body', () => {
  const secrets = wrap(['studio-1', first, second], ['studio-2', third]);

  test('is found by any of its current secrets (E2.1, E2.7)', () => {
    for (const secret of [first, second]) {
      expect(findBodyCaller(secrets, claimBy('studio-1', secret), body)).not.toBeNull();
    }
  });

  test.each([
    ['the secret of another id', claimBy('studio-2', first), body],
    ['an unknown id', claimBy('studio-3', first), body],
    ['another body', claimBy('studio-1', first), Buffer.from('{"testData": "Grüße"}')],
    [
      'another timestamp',
      { ...claimBy('studio-1', first), timestamp: '2026-03-01T12:00:00Z' },
      body,
    ],
    ['an empty signature', { ...claimBy('studio-1', first), signature: '' }, body],
  ])('is not found with %s (E2.1)', (_, claim, bytes) => {
    expect(findBodyCaller(secrets, claim, bytes)).toBeNull();
  });

  test('costs as many tries for an unknown id as for a known one (E2.1, D1.1)', () => {
    const counts = [...secrets.byId.values(), secrets.decoys].map(({ length }) => length);
    expect(counts).toEqual([2, 2, 2]);
  });
});

test.each([
  [
    'an id given twice',
    [
      ['a', first],
      ['a', second],
    ],
    'providers/1/gameProviderId is given twice',
  ],
  ['an id with #', [['a#b', first]], 'providers/0/gameProviderId must not contain #'],
  [
    'a short secret',
    [
      ['a', first],
      ['b', 'short'],
    ],
    'providers/1/secrets/0: a secret must be a text',
  ],
] as const)('%s is a TypeError that names the place by index (E2.7)', (_, callers, problem) => {
  const make = () => wrap(...callers);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(`createSandbox: ${problem}`);
});

/** Credentials of one list: the secrets of each caller. */
function list(name: string, ...secrets: string[][]) {
  return { list: name, credentials: secrets.map((own) => ({ secrets: own })) };
}

describe('a secret of two callers is a TypeError that does not show it (E2.7)', () => {
  test.each([
    [
      'two providers',
      [list('providers', [first], [second, first])],
      'providers/1/secrets/1 is a secret of providers/0 too',
    ],
    [
      'an operator and a provider',
      [list('operator', [first]), list('providers', [second], [first])],
      'providers/1/secrets/0 is a secret of operator/0 too',
    ],
  ])('of %s', (_, lists, problem) => {
    const check = () => checkDistinctSecrets(...lists);
    expect(check).toThrow(new TypeError(problem));
  });

  test('one caller may list a secret twice', () => {
    expect(() => checkDistinctSecrets(list('providers', [first, first], [second]))).not.toThrow();
  });
});
