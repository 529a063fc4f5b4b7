import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../tidy/source';
import { type Block, blocksOf, isProgram, pages, placeOf } from './blocks';
import { programOf, userFolder } from './program';

const run = promisify(execFile);
const blocks = pages.flatMap(blocksOf);
const programs = blocks.filter(isProgram);

/** What the user's compiler is set to: the settings of this package, against its sources. */
const settings = {
  extends: join(ROOT, 'tsconfig.json'),
  compilerOptions: { allowJs: true, checkJs: true, noUnusedLocals: false },
};

/** What the compiler says of these programs, by the place of the block that it is in; none where all is well. */
async function compile(some: readonly Block[]): Promise<string[]> {
  const folder = await userFolder();
  const files = some.map((block, at) => `block-${at}.${block.language === 'js' ? 'mjs' : 'mts'}`);
  for (const [at, block] of some.entries()) {
    await writeFile(join(folder, files[at] ?? ''), programOf(block));
  }
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ ...settings, include: [], files }),
  );
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = await run(tsc, ['-p', folder]).catch((error: unknown) => {
    return error as { stdout: string };
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) =>
    line.replace(/^.*block-(\d+)\.m[jt]s/, (_, at) => placeOf(some[Number(at)] as Block)),
  );
}

describe('every block of TypeScript or JavaScript', () => {
  test('type-checks in strict mode against the sources', async () => {
    expect(programs.length).toBeGreaterThan(15);
    expect(await compile(programs)).toEqual([]);
  });

  test('a block with a wrong type is found, at its place', async () => {
    const [first] = programs;
    const wrong = { ...(first as Block), after: [], code: 'const text: string = 1;\n' };
    const found = await compile([wrong]);
    expect(found).toEqual([expect.stringMatching(`^${placeOf(wrong)}.*TS2322`)]);
  });
});
