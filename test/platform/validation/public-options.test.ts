import { describe, expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { join } from 'node:path';

import subpaths from '../../../build/subpaths.json';
import { factories, type Kind, samples } from './public-factories';

/** They make a record for the author of a store, and have no options. */
const recordMakers = [
  'createActEvent',
  'createAttentionEntry',
  'createRepairEntry',
  'createRoundEvent',
  'createRoundReport',
  'createRoundSummary',
];

/** What JavaScript says itself when it fails on a value. */
const notOurs = /Cannot (convert|read)|is not (a function|iterable)|undefined/;

/** What it throws, or rejects with; null where it does neither. */
async function errorOf(make: () => unknown): Promise<unknown> {
  try {
    await make();
  } catch (error) {
    return error;
  }
  return null;
}

test('every create function of every subpath is in the table', () => {
  const made = Object.values(subpaths).flatMap((file) =>
    Object.keys(require(join(__dirname, '../../..', file)) as object),
  );
  const makers = new Set(made.filter((name) => /^create[A-Z]/.test(name)));
  for (const name of recordMakers) expect(makers.delete(name)).toBe(true);
  expect(Object.keys(factories)).toEqual(expect.arrayContaining([...makers]));
});

describe.each(Object.entries(factories))('%s', (maker, { make, good, takes }) => {
  test('an option of a wrong type is a TypeError of ours that names it and does not repeat it', async () => {
    for (const [option, kinds] of Object.entries(takes)) {
      for (const [kind, value] of Object.entries(samples)) {
        if (kinds.includes(kind as Kind)) continue;
        // A client or a pool stands where a url would.
        const { url: _, ...rest } = good as { readonly url?: string };
        const others = option === 'client' || option === 'pool' ? rest : good;
        const error = await errorOf(() => make({ ...others, [option]: value }));
        const place = `${maker}: ${option} as ${kind}`;
        expect([place, error]).toEqual([place, expect.any(TypeError)]);
        const { message } = error as Error;
        expect([place, message]).toEqual([place, expect.stringMatching(`\\b${option}\\b`)]);
        expect([place, message]).toEqual([place, expect.not.stringMatching(notOurs)]);
        expect(inspect(error, { depth: 9 })).not.toContain('hush');
      }
    }
  });

  test('an unknown option is refused', async () => {
    const error = await errorOf(() => make({ ...good, hush: 1 }));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(/^\w+: unknown option; /);
  });
});
