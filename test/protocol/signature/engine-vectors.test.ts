import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readQuery } from '../../../lib/protocol/operator-api/read-call';
import { parseJson } from '../../../lib/protocol/json/parse';
import {
  engineSignedFields,
  type EngineSignedCall,
  findBodySigner,
  readEngineParameters,
  readEngineParts,
  Secret,
  sign,
  signatureHeaders,
  signBody,
  signedFields,
  verifySignature,
} from '../../../lib/protocol/signature';

interface EngineVector {
  readonly direction: 'toService' | 'toProvider';
  readonly call: string;
  readonly why: string;
  readonly valid: boolean;
  readonly secret: string;
  readonly gameProviderId: string;
  readonly timestamp: string;
  readonly body?: string;
  readonly query?: string;
  readonly signed: string;
  readonly signature: string;
}

const { vectors, description } = JSON.parse(
  readFileSync(join(__dirname, '../../../vectors/engine.json'), 'utf8'),
) as { readonly description: string; readonly vectors: readonly EngineVector[] };

const cases = (wanted: (vector: EngineVector) => boolean) =>
  vectors.filter(wanted).map((vector) => [vector.call, vector.why, vector] as const);

function partsOf({ call, body, query }: EngineVector) {
  const name = call as EngineSignedCall;
  const signed =
    body === undefined
      ? readEngineParameters(name, readQuery(`?${query ?? ''}`) ?? new Map())
      : readEngineParts(name, parseJson(body));
  if (signed.parts === null) throw new Error('it cannot be signed');
  return signed.parts;
}

/** The bytes that may be signed: those of the body, and `{}` for a body that is empty (E2.3). */
function bodiesOf({ body }: EngineVector): readonly Buffer[] {
  return body === undefined ? [Buffer.alloc(0), Buffer.from('{}')] : [Buffer.from(body)];
}

function isAccepted(vector: EngineVector, secrets: readonly string[]): boolean {
  const { direction, gameProviderId: authId, timestamp, signature } = vector;
  const tried = secrets.map((secret) => new Secret(secret));
  if (direction === 'toProvider') {
    return verifySignature(tried, { authId, timestamp, signature, parts: partsOf(vector) });
  }
  const claims = bodiesOf(vector).map((body) => ({ timestamp, signature, body }));
  return claims.some((claim) => findBodySigner(tried, claim) !== null);
}

const secret = 'vector-secret-0123456789abcdef';
const timestamp = '2026-03-01T12:00:00.000Z';

describe('the signatures that the rules name are what node:crypto makes (E2.9)', () => {
  test.each([
    [`{"testData":"hello"}#${timestamp}`, 'dPr32gIj+b96iNcubT6eT6F714IJvrIqbGoTIlxNSEw='],
    [`{ "testData": "hello" }#${timestamp}`, 'LLvYcY6FgW7YV8xjXL1Egg80YxfiHXq1HV1G0VLrdkY='],
    [`{"testData":"Grüße"}#${timestamp}`, 'fr/LnOMV0pqVX4AyJI1FmkEeWww4zN8DUpT1kKTGIKA='],
    [`#${timestamp}`, 'TIqoWz18Qqjw7N0HBkBVxU2MrfAmddVdSifCbLnYZp8='],
    [`{}#${timestamp}`, 'Bdd4XxpGzz5qsLy8ZPOVlo/CxZcA70JEOEDIdH6dJvA='],
    [`${secret}#studio-1#${timestamp}#EUR`, 'tVZZTeO4gcU/KPkHv6q9+HIW5X8uRUDcNz/BKoSmJi4='],
    [`${secret}#studio-1#${timestamp}#round-1`, 'bDhCPWv8qPd7C2I8KAF1kv7Kgo5rr7x/iykunCgO/S0='],
    [`${secret}#studio-1#${timestamp}`, 'bWXhsdyBMyaGyzTGs0aNev6D4et/qgsDdo3xKbOtSu0='],
  ])('%s', (signed, signature) => {
    expect(createHmac('sha256', secret).update(signed).digest('base64')).toBe(signature);
    const published = vectors.filter((vector) => vector.signed === signed && vector.valid);
    expect(published.length).toBeGreaterThan(0);
    for (const vector of published) expect(vector.signature).toBe(signature);
  });
});

test('the file has a vector for every call to a provider, and says what it is (E2.8)', () => {
  expect(description).toContain('HMAC-SHA256');
  const calls = vectors.filter(({ direction, valid }) => direction === 'toProvider' && valid);
  const names = Object.keys(engineSignedFields);
  expect([...new Set(calls.map(({ call }) => call))].toSorted()).toEqual(names.toSorted());
  const reasons = vectors.map(({ call, why }) => `${call}: ${why}`);
  expect(new Set(reasons).size).toBe(vectors.length);
});

test("getGameConfiguration signs other fields towards a provider than the operator's does (E2.8)", () => {
  expect(engineSignedFields.getGameConfiguration).toMatchObject([{ name: 'currency' }]);
  const ofOperator = [{ name: 'gameCode' }, { name: 'currency' }];
  expect(signedFields.getGameConfiguration).toMatchObject(ofOperator);
});

describe('a valid vector', () => {
  const valid = cases((vector) => vector.valid);

  test.each(valid)('%s: %s: is what is told in the file', (_, __, vector) => {
    const mac = createHmac('sha256', vector.secret).update(vector.signed, 'utf8');
    expect(vector.signature).toBe(mac.digest('base64'));
  });

  test.each(valid)('%s: %s: is accepted, amid others too', (_, __, vector) => {
    const others = ['other-secret-0000000', 'other-secret-1111111'];
    expect(isAccepted(vector, [vector.secret])).toBe(true);
    expect(isAccepted(vector, [...others, vector.secret])).toBe(true);
    expect(isAccepted(vector, others)).toBe(false);
  });

  test.each(valid)('%s: %s: is what the kit signs', (_, __, vector) => {
    const { direction, gameProviderId, signature } = vector;
    const key = new Secret(vector.secret);
    const made =
      direction === 'toProvider'
        ? [sign(key, gameProviderId, vector.timestamp, partsOf(vector))]
        : bodiesOf(vector).map((body) => {
            const headers = signBody(key, gameProviderId, Date.parse(vector.timestamp), body);
            return headers[signatureHeaders.signature];
          });
    expect(made).toContain(signature);
  });
});

test.each(cases(({ valid }) => !valid))('%s: %s: is refused', (_, __, vector) => {
  expect(isAccepted(vector, [vector.secret])).toBe(false);
});
