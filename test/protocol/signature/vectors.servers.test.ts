import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseJson } from '../../../lib/protocol/json/parse';
import { readQuery } from '../../../lib/protocol/operator-api/read-call';
import {
  readSignedParameters,
  readSignedParts,
  Secret,
  sign,
  signedFields,
  type SignedParts,
  verifySignature,
} from '../../../lib/protocol/signature';
import { type Vector, vectorFile } from './vectors';

const { vectors, description } = vectorFile;
const cases = (wanted: (vector: Vector) => boolean) =>
  vectors.filter(wanted).map((vector) => [vector.operation, vector.why, vector] as const);

function partsOf({ operation, body, query }: Vector): SignedParts {
  if (body !== undefined) return readSignedParts(operation, parseJson(body));
  return readSignedParameters(operation, readQuery(`?${query ?? ''}`) ?? new Map());
}

function verify(vector: Vector, secrets: readonly string[]): boolean {
  const { parts } = partsOf(vector);
  if (parts === null) return false;
  const { operatorId: authId, timestamp, signature } = vector;
  const tried = secrets.map((secret) => new Secret(secret));
  return verifySignature(tried, { authId, timestamp, signature, parts });
}

test.each(['make-vectors.mjs', 'make-engine-vectors.mjs'])(
  'the file is what its generator %s writes, which uses nothing of lib',
  (generator) => {
    const root = join(__dirname, '../../..');
    execFileSync(process.execPath, [`build/${generator}`, '--check'], { cwd: root });
  },
);

test('the file says what it is, and has vectors for every operation that signs', () => {
  expect(description).toContain('HMAC-SHA256');
  const operations = new Set(vectors.map(({ operation }) => operation));
  expect([...operations].toSorted()).toEqual(Object.keys(signedFields).toSorted());
  expect(vectors.filter(({ valid }) => !valid).length).toBeGreaterThan(10);
  const reasons = vectors.map(({ operation, why }) => `${operation}: ${why}`);
  expect(new Set(reasons).size).toBe(vectors.length);
});

test.each(cases(({ valid }) => valid))('%s: %s: is what is told in the file', (_, __, vector) => {
  const mac = createHmac('sha256', vector.secret).update(vector.signed ?? '', 'utf8');
  expect(vector.signature).toBe(mac.digest('base64'));
});

describe('a valid vector', () => {
  test.each(cases(({ valid }) => valid))('%s: %s: is accepted', (_, __, vector) => {
    expect(verify(vector, [vector.secret])).toBe(true);
  });

  test.each(cases(({ valid }) => valid))('%s: %s: is what the kit signs', (_, __, vector) => {
    const { parts } = partsOf(vector);
    if (parts === null) throw new Error('it cannot be signed');
    const { secret, operatorId, timestamp, signature } = vector;
    const signed = (['asSent', 'shortest'] as const).map((spelling) =>
      sign(new Secret(secret), operatorId, timestamp, parts, spelling),
    );
    expect(signed).toContain(signature);
  });

  test.each(cases(({ valid }) => valid))('%s: %s: is accepted amid others', (_, __, vector) => {
    const others = ['other-secret-0000000', 'other-secret-1111111'];
    expect(verify(vector, [...others, vector.secret])).toBe(true);
    expect(verify(vector, [vector.secret, ...others])).toBe(true);
    expect(verify(vector, others)).toBe(false);
    expect(verify(vector, [])).toBe(false);
  });

  test.each(cases(({ valid }) => valid))('%s: %s: holds for its headers', (_, __, vector) => {
    const { secret, timestamp } = vector;
    expect(verify({ ...vector, operatorId: 'acme2' }, [secret])).toBe(false);
    expect(verify({ ...vector, timestamp: timestamp.replace('.000', '') }, [secret])).toBe(false);
  });
});

test.each(cases(({ valid }) => !valid))('%s: %s: is refused', (_, __, vector) => {
  expect(verify(vector, [vector.secret])).toBe(false);
});
