import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { describe } from '@jest/globals';

const tests = join(__dirname, '..');

/** The fast tests below a folder of `test`, or the file itself, as paths from there. */
export function fastTestsBelow(folder: string): string[] {
  if (folder.endsWith('.test.ts')) return [folder];
  return readdirSync(join(tests, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !/\.(?:servers|slow|soak)\.test\.ts$/.test(path))
    .map((path) =>
      relative(tests, join(tests, folder, path))
        .split(sep)
        .join('/'),
    )
    .toSorted();
}

/**
 * Defines the fast tests of these folders and files in the file that calls this, so that they load what they import once: jest
 * loads it anew for every file. Each file is a `describe` of its own, which keeps its hooks to itself.
 */
export function together(...folders: readonly string[]): void {
  describe.each(folders.flatMap(fastTestsBelow))('%s', (path) => {
    require(join(tests, path));
  });
}
