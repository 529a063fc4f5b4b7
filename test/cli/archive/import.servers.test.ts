import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { blockOf } from '../../docs/blocks';
import { temporaryFolder } from '../../servers/reaper';
import { runCli } from '../cli';

const event = (n: number, hour: string): string => {
  const at = `2026-11-22T${hour}:00:00.${String(n).padStart(3, '0')}Z`;
  return JSON.stringify({
    type: 'round',
    id: `op/p/r-${n}/1`,
    operatorId: 'op',
    playerId: 'p',
    at,
  });
};

/** A folder as version 0.1 left it: a sealed hour of two parts, and one that is open. */
async function oldFolder(): Promise<{ folder: string; lines: string[] }> {
  const folder = await temporaryFolder('archive');
  const parts = { '2026-11-22T15.jsonl.gz': [1, 2], '2026-11-22T15.2.jsonl.gz': [3] };
  const sums: string[] = [];
  await writeFile(join(folder, 'archive.json'), '{"operatorId":"op"}\n');
  for (const [name, numbers] of Object.entries(parts)) {
    const bytes = gzipSync(numbers.map((n) => `${event(n, '15')}\n`).join(''));
    await writeFile(join(folder, name), bytes);
    sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
  }
  await writeFile(join(folder, 'SHA256SUMS'), sums.join(''));
  const open = `${event(4, '16')}\n{"batch":1,"sha256":"x"}\n${event(5, '16')}\n{"type":"ro`;
  await writeFile(join(folder, '2026-11-22T16.open'), open);
  const lines = [event(1, '15'), event(2, '15'), event(3, '15'), event(4, '16')];
  return { folder, lines };
}

async function newKey(): Promise<string> {
  const key = join(await temporaryFolder('archive'), 'key');
  const made = await runCli([
    'archive',
    'key',
    'new',
    '--out',
    key,
    '--origin',
    'casino.example/op',
  ]);
  expect(made.code).toBe(0);
  return key;
}

test('the files of version 0.1 become the first segments of a log, and a second import adds nothing', async () => {
  const { folder, lines } = await oldFolder();
  const to = join(await temporaryFolder('archive'), 'new');
  const paths: Record<string, string> = { '/srv/rounds': folder, '/srv/archive': to };
  paths['archive.key'] = await newKey();
  const [, ...words] = blockOf('docs/archive.md', 'archive-import').code.trim().split(' ');
  const args = words.map((word) => paths[word] ?? word);
  expect(await runCli(args)).toMatchObject({ code: 0, stdout: '4 events imported.\n' });
  const again = await runCli([...args, '--json']);
  expect(again).toMatchObject({ code: 0, stdout: '{"events":4}\n' });
  const days = (await readdir(to)).filter((name) => /^\d{4}-/.test(name));
  const [day = ''] = days;
  const files = (await readdir(join(to, day))).filter((name) => name.endsWith('.gz'));
  const text = gunzipSync(await readFile(join(to, day, files[0] ?? ''))).toString();
  expect([days.length, files.length, text.trim().split('\n')]).toEqual([1, 1, lines]);
  expect(await runCli(['archive', 'verify', to])).toMatchObject({ code: 0 });
  const other = await oldFolder();
  await writeFile(join(other.folder, '2026-11-22T14.open'), `${event(9, '14')}\n{"batch":1}\n`);
  const refused = await runCli(args.with(2, other.folder));
  expect([refused.code, refused.stderr]).toEqual([
    2,
    'error: --to holds other events than the old folder: name a new folder.\n',
  ]);
});

test('a sealed file that is not what was sealed is named, and nothing is imported', async () => {
  const { folder } = await oldFolder();
  const to = join(await temporaryFolder('archive'), 'new');
  await writeFile(join(folder, '2026-11-22T15.2.jsonl.gz'), gzipSync(`${event(8, '15')}\n`));
  const refused = await runCli(['archive', 'import', folder, '--to', to, '--key', await newKey()]);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    'error: 2026-11-22T15.2.jsonl.gz is not what was sealed: nothing was imported.\n',
  ]);
  await expect(readdir(to)).rejects.toThrow('ENOENT');
});

test('a sealed file that ends within its compressed data is named, also if its sum is right', async () => {
  const { folder } = await oldFolder();
  const name = '2026-11-22T15.2.jsonl.gz';
  const bytes = (await readFile(join(folder, name))).subarray(0, -8);
  await writeFile(join(folder, name), bytes);
  const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8');
  const sum = createHash('sha256').update(bytes).digest('hex');
  await writeFile(join(folder, 'SHA256SUMS'), sums.replace(/\S+(?=  \S+T15\.2)/, sum));
  const to = join(await temporaryFolder('archive'), 'new');
  const refused = await runCli(['archive', 'import', folder, '--to', to, '--key', await newKey()]);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    `error: ${name} is damaged: unexpected end of file\n`,
  ]);
});
