import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { RecentKeys } from '../../../../lib/operator/http/authentication/recent-keys';

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
        expect(recent.placeOf(asked)).toBe(known?.place ?? null);
        if (known !== undefined) continue;
        const place = recent.add(asked);
        model = [...model.slice(model.length === size ? 1 : 0), { key: asked, place }];
        expect(new Set(model.map((held) => held.place)).size).toBe(model.length);
      }
      for (const held of model) expect(recent.placeOf(held.key)).toBe(held.place);
    }),
    { numRuns: 2000 },
  );
});

test('a key whose hash leads to the last slot is found beyond the end of the table', () => {
  const recent = new RecentKeys(4);
  const keys = Array.from({ length: 12 }, (_, number) => keyOf(7, number));
  for (const key of keys) recent.add(key);
  expect(keys.map((key) => recent.placeOf(key) !== null)).toEqual([
    ...Array.from({ length: 8 }, () => false),
    ...Array.from({ length: 4 }, () => true),
  ]);
});
