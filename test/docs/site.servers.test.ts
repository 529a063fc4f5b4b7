import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '../servers/reaper';
import { ROOT } from '../tidy/source';
import { runProgram, startProgram } from './process';

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder('site');
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Writes the pages of a repository into `out` of the folder; what it printed. */
function writePages(root: string): Promise<string> {
  const module = JSON.stringify(join(ROOT, 'site/pages.mjs'));
  const [to, from] = [join(folder, 'out'), root].map((path) => JSON.stringify(path));
  const code = `import { writePages } from ${module}; writePages(${to}, ${from});`;
  return runProgram(process.execPath, ['--input-type=module', '--eval', code]);
}

/** Checks the links of what is in the folder: the exit code, and what it printed. */
async function check(...base: string[]): Promise<[number | null, string]> {
  const running = startProgram(process.execPath, [join(ROOT, 'site/links.mjs'), folder, ...base]);
  return [await running.exit, running.output()];
}

describe('the pages of the site', () => {
  /** The pages that a repository has in any case, empty. */
  const empty = Object.fromEntries(
    [
      'README',
      'SECURITY',
      'CONTRIBUTING',
      'CHANGELOG',
      'examples/README',
      'docs/decisions/README',
    ].map((name) => [`${name}.md`, ''] as const),
  );

  test('are all those of the repository: each is in the sidebar, and each link leads to a file', async () => {
    await writePages(ROOT);
    const page = await readFile(join(folder, 'out/operations/service.md'), 'utf8');
    expect(page).toContain('[recipes](../recipes.md)');
    expect(page).toMatch(/\]\(https:\/\/\S+\/blob\/main\/docker\/kubernetes\.yaml\)/);
  });

  test('lead from the overview and the examples to the places of the pages, and copy their pictures', async () => {
    const readme = '[a](docs/scale.md#b) [c](#d) [e](examples/README.md) ![f](docs/g.svg)\n';
    await write({
      ...empty,
      'README.md': readme,
      'docs/scale.md': '[h](../README.md)\n',
      'docs/g.svg': '<svg/>',
    });
    await writePages(folder);
    const index = await readFile(join(folder, 'out/index.md'), 'utf8');
    expect(index).toBe('[a](./scale.md#b) [c](#d) [e](./examples.md) ![f](./g.svg)\n');
    expect(await readFile(join(folder, 'out/scale.md'), 'utf8')).toBe('[h](./index.md)\n');
    expect(await readFile(join(folder, 'out/g.svg'), 'utf8')).toBe('<svg/>');
  });

  test.each([
    [
      'a page that the sidebar lacks',
      { 'docs/unlisted.md': '' },
      'navigation.mjs has no docs/unlisted.md',
    ],
    ['a link to no file', { 'docs/scale.md': '[a](none.md)' }, 'docs/scale.md: no file none.md'],
    ['a link out of the repository', { 'README.md': '[a](../a.md)' }, 'README.md: no file ../a.md'],
  ])('are not written with %s', async (_, files, reason) => {
    await write({ ...empty, ...files });
    await expect(writePages(folder)).rejects.toThrow(reason);
  });
});

describe('the check of the links of a built site', () => {
  test('passes where each file and each heading is there', async () => {
    await write({
      'index.html':
        '<a href="/kit/a.html#b">a</a><img src="./c.png"><a href="https://elsewhere">d</a>',
      'a.html': '<h2 id="b">b</h2><a href="/kit/">home</a><a href="#b">b</a>',
      'c.png': '',
    });
    expect(await check('/kit/')).toEqual([0, '5 links on 2 pages, 0 broken\n']);
  });

  test.each([
    ['a file', './none.html'],
    ['a heading', 'index.html#none'],
    ['a heading of the page itself', '#none'],
    ['a path outside of the base', '/elsewhere/index.html'],
  ])('fails for a link to %s that is not there', async (_, to) => {
    await write({ 'index.html': `<a href="${to}">a</a>` });
    expect(await check('/kit/')).toEqual([
      1,
      `broken link: index.html: ${to}\n1 links on 1 pages, 1 broken\n`,
    ]);
  });

  test('fails for a folder without a page', async () => {
    expect(await check()).toEqual([1, expect.stringContaining('has no page')]);
  });
});
