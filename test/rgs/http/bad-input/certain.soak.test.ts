import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { PostedCall } from '../../../../lib/protocol/engine-api/read-request';
import { bodyWith, calls, fieldsOf, type Kind } from '../../../protocol/engine-api/request-bodies';
import { badInputRig } from './rig';

const rounds = ['"round-1"', '"round-1"', '"round-1"', '"round-1"', '"Ünï 😀"', '"constructor"'];
const keys = ['"a"', '"b"', '"c"', '"d"', '"toString"'];

/** Right values of a kind, most of them at an edge; for any other kind the one of the table. */
const rightValues: { readonly [OfKind in Kind]?: readonly string[] } = {
  round: rounds,
  roundId: rounds,
  id: keys,
  name: keys,
  amount: ['0', '1', '100', '"300"', '9007199254740991'],
  currency: ['"EUR"', '"EUR"', '"EUR"', '"EUR"', '"SEK"'],
  flag: ['true', 'false', 'false', '"false"'],
  spins: ['0', '1', '5', '1000000'],
};

/** A call with a right body: what is optional is there or not, each value is one of its kind. */
const anyCall = fc.constantFrom(...calls).chain((name) => {
  const values = fieldsOf(name).map(({ path, kind, json, isRequired }) => {
    const right = path === 'token' ? [json] : (rightValues[kind] ?? [json]);
    return fc.constantFrom(...right, ...(isRequired ? [] : [null]));
  });
  return fc.tuple(...values).map((chosen) => ({ name, body: bodyFrom(name, chosen) }));
});

function bodyFrom(name: PostedCall, chosen: readonly (string | null)[]): string {
  const byPath = new Map(fieldsOf(name).map(({ path }, at) => [path, chosen[at] ?? null]));
  return bodyWith(name, ({ path }) => byPath.get(path) ?? null);
}

test('no call of a provider is answered 5xx as long as the wallet answers, and the books agree (E3.2, B3)', async () => {
  const statuses = new Set<number>();
  const history = fc.array(anyCall, { minLength: 5, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const rig = await badInputRig();
      await rig.openRound();
      for (const { name, body } of steps) {
        const { status, text } = await rig.call(name, body.replace('token-1', rig.token));
        statuses.add(status);
        if (status !== 200 && status !== 400) throw new Error(`${name} ${body}: ${status} ${text}`);
      }
      expect(await rig.books()).toMatchObject({ agree: true, differences: [] });
    }),
    { numRuns: 100 },
  );
  expect(statuses).toEqual(new Set([200, 400]));
});
