import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { type PostgresServer, startPostgres } from '../servers/postgres/server';
import { temporaryFolder } from '../servers/reaper';
import { startRedis } from '../servers/redis/server';
import { built } from '../support/built';
import { ROOT, textOf } from './source';

const run = promisify(execFile);

/** What a bundle in ES modules needs on its first line, since the kit and its dependencies are CommonJS. */
const BANNER =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

let program: string;
let postgres: PostgresServer;

beforeAll(async () => {
  built();
  const folder = await temporaryFolder('bundled');
  for (const name of ['wallet.mjs', 'on-http.mjs']) {
    await copyFile(join(ROOT, 'test/platforms', name), join(folder, name));
  }
  await mkdir(join(folder, 'node_modules'));
  await symlink(ROOT, join(folder, 'node_modules/rgs-wallet-kit'), 'dir');
  program = join(folder, 'on-http.mjs');
  postgres = await startPostgres();
});

afterAll(() => postgres?.stop());

async function byEsbuild(entry: string, format: 'cjs' | 'esm', outfile: string): Promise<void> {
  const flags = ['--bundle', '--platform=node', `--format=${format}`, `--outfile=${outfile}`];
  if (format === 'esm') flags.push(`--banner:js=${BANNER}`);
  await quietly(tool('esbuild/bin/esbuild'), entry, ...flags, '--log-level=warning');
}

async function byNcc(entry: string, outfile: string): Promise<void> {
  const folder = join(entry, '../by-ncc');
  await quietly(tool('@vercel/ncc/dist/ncc/cli.js'), 'build', entry, '-q', '-C', '-o', folder);
  const files = (await readdir(folder)).filter((name) => name !== 'package.json');
  expect(files).toEqual(['index.mjs']);
  await copyFile(join(folder, 'index.mjs'), outfile);
}

function tool(path: string): string {
  return join(ROOT, 'node_modules', path);
}

/** Runs a bundler in the folder of the program; it must have nothing to say. */
async function quietly(command: string, ...args: string[]): Promise<void> {
  const { stderr } = await run(command, args, { cwd: join(program, '..') });
  expect(stderr).toBe('');
}

/** The file of a bundle, alone in a folder that knows no package. */
async function bundle(name: string, make: (outfile: string) => Promise<void>): Promise<string> {
  const outfile = join(await temporaryFolder('bundle'), name);
  await make(outfile);
  expect(await readdir(join(outfile, '..'))).toEqual([name]);
  return outfile;
}

/** What a bundle prints that plays on a store. */
async function played(file: string, store: string): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [file], {
    cwd: join(file, '..'),
    env: { STORE: store },
  });
  return stdout + stderr;
}

describe.each([
  ['esbuild, CommonJS', 'wallet.cjs', (to: string) => byEsbuild(program, 'cjs', to)],
  ['esbuild, ES modules', 'wallet.mjs', (to: string) => byEsbuild(program, 'esm', to)],
  ['ncc', 'wallet.mjs', (to: string) => byNcc(program, to)],
] as const)('one file made by %s', (_, name, make) => {
  test('serves in memory, on Redis and on PostgreSQL, with nothing beside it', async () => {
    const file = await bundle(name, make);
    const redis = await startRedis();
    expect(await played(file, 'memory')).toBe('the wallet holds 115.5\n');
    expect(await played(file, redis.url)).toBe('the wallet holds 115.5\n');
    const database = await postgres.createDatabase();
    expect(await played(file, database)).toBe('the wallet holds 115.5\n');
    await redis.stop();
  });
});

test('the command line is one file too', async () => {
  const file = await bundle('rgs-wallet.cjs', (to) => byEsbuild(built('cli/main.js'), 'cjs', to));
  const { stdout } = await run(process.execPath, [file, '--version'], { cwd: join(file, '..') });
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  expect(stdout).toBe(`${version}\n`);
  const demo = await run(process.execPath, [file, 'demo'], { cwd: join(file, '..') });
  expect(demo.stderr).toBe('');
});
