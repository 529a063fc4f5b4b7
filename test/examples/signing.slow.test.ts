import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { blockOf } from '../docs/blocks';
import { runProgram } from '../docs/process';
import { canRun, type Language, languagesFolder, toolchains } from './languages';

const languages = Object.keys(toolchains) as Language[];
const files = ['vectors/signature.json', 'vectors/engine.json'] as const;

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

/** Bodies that must be refused whatever their signature, with what a lax reader would sign of them. */
const hostile: readonly (readonly [why: string, body: string, signed: string])[] = [
  ['transactions are a text', '{"transactions":"x",IDS}', '#x'],
  ['transactions are an object', '{"transactions":{"0":{"hash":"x"}},IDS}', '#x'],
  ['a transaction is a text', '{"transactions":["x"],IDS}', '#x'],
  ['there are no transactions', '{IDS}', ''],
  [
    'an amount has an exponent of three digits',
    `{"transactions":[${credit('1e100')}],IDS}`,
    '#x#1e100',
  ],
  ['an amount is long', `{"transactions":[${credit('9'.repeat(41))}],IDS}`, `#x#${'9'.repeat(41)}`],
  ['the body is a list', '[]', ''],
  ['the body is nested deeply', '['.repeat(100_000), ''],
  ['the body ends early', '{"transactions":[],IDS', ''],
  ['the body goes on', '{"transactions":[],IDS}{}', ''],
];

function credit(amount: string): string {
  return `{"type":"credit","currency":"EUR","hash":"x","amount":${amount}}`;
}

test.each(languages)('the %s helper refuses what is not a message', async (language) => {
  if (!canRun(language)) return;
  const folder = await languagesFolder();
  const { vectors } = JSON.parse(await readFile(join(folder, files[0]), 'utf8')) as {
    vectors: readonly { readonly secret: string; readonly timestamp: string }[];
  };
  const [plain] = vectors;
  if (plain === undefined) throw new Error('no vector');
  const made = hostile.map(([why, body, signed]) => ({
    ...plain,
    why,
    valid: false,
    body: body.replace('IDS', '"playerId":"p","gameCode":"g","gameRound":"r"'),
    signature: createHmac('sha256', plain.secret)
      .update(`${plain.secret}#acme#${plain.timestamp}#p#g#r${signed}`)
      .digest('base64'),
  }));
  await writeFile(join(folder, 'vectors/signature.json'), JSON.stringify({ vectors: made }));
  const output = await runProgram('sh', ['-ec', commandOf(language)], { cwd: folder });
  expect(output).toContain(`signature.json: ${hostile.length} vectors\n`);
  expect(output).toContain('\n0 wrong\n');
});
