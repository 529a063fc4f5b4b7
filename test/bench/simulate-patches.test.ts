import { expect, test } from '@jest/globals';
import { patches, patchedText } from '../../bench/simulator/patches/list';

test('what each planted bug replaces stands in its file exactly once', () => {
  for (const patch of patches) expect(patchedText(patch)).toContain(patch.to);
});

test('no two planted bugs have one name', () => {
  const names = patches.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
