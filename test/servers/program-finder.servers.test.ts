import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { type WantedProgram, findProgram, unavailable } from './program-finder';
import { temporaryFolder } from './reaper';

const VARIABLE = 'PROGRAM_FINDER_TEST';
let folder: string;
let fetches: number;

beforeEach(async () => {
  folder = await temporaryFolder('finder');
  fetches = 0;
});

afterEach(() => {
  delete process.env[VARIABLE];
  delete process.env[unavailable(VARIABLE)];
});

/** A program whose version is its file's name, and whose one fetcher writes `fetched`. */
function wanted(fetched: string | Error, places: readonly string[] = []): WantedProgram {
  return {
    name: 'thing',
    oldest: [2, 1],
    variable: VARIABLE,
    cure: 'install thing',
    places: () => places,
    version: (path) => readFile(path, 'utf8'),
    cache: () => join(folder, 'cache'),
    pathInCopy: 'bin/thing',
    fetchers: [
      async (staging) => {
        fetches += 1;
        if (fetched instanceof Error) throw fetched;
        await put(join(staging, 'bin/thing'), fetched);
      },
    ],
  };
}

async function put(path: string, version: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, version);
  await chmod(path, 0o755);
  return path;
}

test('the first place with a recent enough version is taken, and nothing is fetched', async () => {
  const old = await put(join(folder, 'a'), '2.0.9');
  const fit = await put(join(folder, 'b'), '2.1');
  expect(await findProgram(wanted('3.0', [join(folder, 'none'), old, fit]))).toBe(fit);
  expect(fetches).toBe(0);
});

test('a program that is nowhere is fetched once, for however many search at a time', async () => {
  const searches = Array.from({ length: 4 }, () => findProgram(wanted('3.0')));
  const copy = join(folder, 'cache/3.0/bin/thing');
  expect(await Promise.all(searches)).toEqual([copy, copy, copy, copy]);
  expect(await findProgram(wanted('3.1'))).toBe(copy);
  expect(fetches).toBe(1);
});

test('a program that cannot be had is refused in one line that names the reason and the cure', async () => {
  const search = findProgram(wanted(new Error('no network\nand more')));
  await expect(search).rejects.toThrow(/^no thing >= 2\.1 found \(no network\): install thing$/);
});

test('the path in the environment variable is taken, or refused by name if it is unfit', async () => {
  const fit = await put(join(folder, 'fit'), '2.10');
  process.env[VARIABLE] = fit;
  expect(await findProgram(wanted('3.0'))).toBe(fit);
  process.env[VARIABLE] = await put(join(folder, 'old'), '1.9');
  await expect(findProgram(wanted('3.0'))).rejects.toThrow(
    /PROGRAM_FINDER_TEST=.*old is not thing/,
  );
});

test('a search that failed in the parent process is not repeated', async () => {
  process.env[unavailable(VARIABLE)] = 'no thing anywhere';
  await expect(findProgram(wanted('3.0'))).rejects.toThrow(/^no thing anywhere$/);
  expect(fetches).toBe(0);
});
