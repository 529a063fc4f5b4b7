import { expect, test } from '@jest/globals';

import { SpoolFolder } from '../../lib/cli/reconcile/spool-folder';

test('the parts of a spool on the disk have their values in order, whatever their size and characters', () => {
  const folder = new SpoolFolder();
  try {
    const [spool, other] = [folder.spool<string>('ours'), folder.spool<string>('theirs')];
    const values = Array.from({ length: 60 }, (_, at) => {
      const size = [3, 5_000, 21_900, 70_000, 0][at % 5] ?? 0;
      return `${at}\n,"${['a', 'é', '\u{1F3B0}', '\ud800'][at % 4]?.repeat(size)}`;
    });
    for (const [at, value] of values.entries()) spool.add(at % 2, value);
    other.add(0, 'small');
    for (const part of [0, 1]) {
      expect(spool.read(part)).toEqual(values.filter((_, at) => at % 2 === part));
    }
    expect([spool.read(2), other.read(0)]).toEqual([[], ['small']]);
  } finally {
    folder.remove();
  }
});
