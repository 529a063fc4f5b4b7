import { expect, test } from '@jest/globals';
import { patches, patchedText } from './command/patches/list';
import { lockPatches } from './command/patches/locks';

test('what each planted bug replaces stands in its file exactly once', () => {
  for (const patch of [...patches, ...lockPatches]) expect(patchedText(patch)).toContain(patch.to);
});

test('no two planted bugs have one name', () => {
  for (const list of [patches, lockPatches]) {
    const names = list.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  }
});
