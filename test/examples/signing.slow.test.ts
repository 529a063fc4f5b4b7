import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { blockOf } from '../docs/blocks';
import { runProgram } from '../docs/process';
import { canRun, type Language, languagesFolder, toolchains } from './languages';

const languages = Object.keys(toolchains) as Language[];
const files = ['vectors/signature.json', 'vectors/engine.json'];

interface VectorFile {
  readonly vectors: readonly { readonly valid: boolean; readonly signature: string }[];
}

/** What README.md of the helpers has to run one, as it is printed there. */
function commandOf(language: Language): string {
  return blockOf('examples/signing/README.md', language).code;
}

/** Rewrites the vectors of both files; resolves to their number. */
async function rewrite(
  folder: string,
  change: (vector: VectorFile['vectors'][number]) => object,
): Promise<number> {
  let count = 0;
  for (const file of files) {
    const path = join(folder, file);
    const { vectors, ...rest } = JSON.parse(await readFile(path, 'utf8')) as VectorFile;
    await writeFile(path, JSON.stringify({ ...rest, vectors: vectors.map(change) }));
    count += vectors.length;
  }
  return count;
}

test.each(languages)('the %s helper signs and verifies every vector', async (language) => {
  if (!canRun(language)) return;
  const folder = await languagesFolder();
  const output = await runProgram('sh', ['-ec', commandOf(language)], { cwd: folder });
  expect(output).toMatch(/signature\.json: 57 vectors\n.*engine\.json: 24 vectors\n0 wrong\n$/);
});

test.each(languages)('the %s helper tells each vector that says the opposite', async (language) => {
  if (!canRun(language)) return;
  const folder = await languagesFolder();
  const count = await rewrite(folder, (vector) => ({ ...vector, valid: !vector.valid }));
  const run = runProgram('sh', ['-ec', commandOf(language)], { cwd: folder });
  await expect(run).rejects.toThrow(`\n${count} wrong\n`);
});

test.each(languages)('the %s helper refuses each signature of another vector', async (language) => {
  if (!canRun(language)) return;
  const folder = await languagesFolder();
  const other = Buffer.alloc(32).toString('base64');
  await rewrite(folder, (vector) => ({ ...vector, signature: other, valid: false }));
  const output = await runProgram('sh', ['-ec', commandOf(language)], { cwd: folder });
  expect(output).toContain('\n0 wrong\n');
});
