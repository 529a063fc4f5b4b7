import { test } from '@jest/globals';
import * as fc from 'fast-check';
import { RecentKeys } from '../../../lib/protocol/authentication/recent-keys';
import { expectSame } from '../../support/expect-same';
import { runs } from '../../support/runs';

/** A key whose hash is `home`, so that many keys meet in the table. */
function keyOf(home: number, number: number): string {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32LE(home);
  bytes.writeUInt32LE(number, 28);
  return bytes.toString('base64');
}

test('the latest keys are found where they were put, and no other, however they collide', () => {
  const key = fc.record({ home: fc.nat(20), number: fc.nat(12) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(key, { maxLength: 200 }), (size, all) => {
      const recent = new RecentKeys(size);
      let model: { readonly key: string; readonly place: number }[] = [];
      for (const { home, number } of all) {
        const asked = keyOf(home, number);
        const known = model.find((held) => held.key === asked);
        expectSame(recent.placeOf(asked), known?.place ?? null);
        if (known !== undefined) continue;
        const place = recent.add(asked);
        model = [...model.slice(model.length === size ? 1 : 0), { key: asked, place }];
        expectSame(new Set(model.map((held) => held.place)).size, model.length);
      }
      for (const held of model) expectSame(recent.placeOf(held.key), held.place);
    }),
    { numRuns: runs(2000) },
  );
});

test('a key whose hash leads to the last slot is found beyond the end of the table', () => {
  const recent = new RecentKeys(4);
  const keys = Array.from({ length: 12 }, (_, number) => keyOf(7, number));
  for (const key of keys) recent.add(key);
  expectSame(
    keys.map((key) => recent.placeOf(key) !== null),
    [...Array.from({ length: 8 }, () => false), ...Array.from({ length: 4 }, () => true)],
  );
});
