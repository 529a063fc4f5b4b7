import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { documentNames } from '../../lib/platform/http/documents';
import { packInto } from './pack';
import { ROOT, filesBelow, textOf } from './source';

const run = promisify(execFile);

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly bin: Readonly<Record<string, string>>;
}

let folder: string;
let tarball: string;
let packed: readonly string[];
let manifest: Manifest;

/** Runs a program in the user's folder and resolves to what it printed; rejects with all of its output. */
async function output(command: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await run(command, args, { cwd: folder });
    return stdout.trim();
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`, { cause: error });
  }
}

function tool(name: string): string {
  return join(ROOT, 'node_modules/.bin', name);
}

beforeAll(async () => {
  manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Manifest;
  folder = await mkdtemp(join(tmpdir(), 'rgs-wallet-kit-user-'));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  ({ tarball, files: packed } = await packInto(folder));
  await output('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Gives the user's folder the optional peers, as this package's own tests have them. */
async function addPeers(): Promise<void> {
  for (const peer of ['express', 'ioredis', 'pg']) {
    const path = join(folder, 'node_modules', peer);
    if (!existsSync(path)) await symlink(join(ROOT, 'node_modules', peer), path, 'dir');
  }
}

test('the package loads where neither Express nor ioredis nor pg is installed', async () => {
  expect(existsSync(join(folder, 'node_modules/express'))).toBe(false);
  expect(existsSync(join(folder, 'node_modules/ioredis'))).toBe(false);
  expect(existsSync(join(folder, 'node_modules/pg'))).toBe(false);
  const script = `const kit = require('rgs-wallet-kit'); console.log(typeof kit.createOperatorHandler)`;
  expect(await output('node', '-e', script)).toBe('function');
});

test('the root loads no other package, and no part that has a module of its own but the memory store', async () => {
  const script = `require('rgs-wallet-kit'); console.log(Object.keys(require.cache).join())`;
  const loaded = (await output('node', '-e', script)).split(',');
  expect(loaded.filter((path) => !path.includes('/rgs-wallet-kit/dist/'))).toEqual([]);
  const parts =
    /[/]dist[/](?:operator[/](?:client|ledger|stores[/](?:redis|postgres))|proof|cli)[/]/;
  expect(loaded.filter((path) => parts.test(path))).toEqual([]);
  expect(loaded.length).toBeGreaterThan(1);
});

test.each(['signature', 'store', 'memory'])(
  'the module %s loads no other package',
  async (name) => {
    const script = `require('rgs-wallet-kit/${name}'); console.log(Object.keys(require.cache).join())`;
    const loaded = (await output('node', '-e', script)).split(',');
    expect(loaded.filter((path) => !path.includes('/rgs-wallet-kit/dist/'))).toEqual([]);
  },
);

test('the package is used from CommonJS', async () => {
  await addPeers();
  const script = `
    const { createOperatorRouter, createOperatorHandler, createServer, createMemoryStore } = require('rgs-wallet-kit');
    const { createRedisStore } = require('rgs-wallet-kit/redis');
    const { createPostgresStore } = require('rgs-wallet-kit/postgres');
    const { createRgsClient } = require('rgs-wallet-kit/client');
    const { createLedgerStore, startSweeper } = require('rgs-wallet-kit/ledger');
    const makers = [createOperatorRouter, createOperatorHandler, createServer, createMemoryStore, createRedisStore,
      createPostgresStore, createRgsClient, createLedgerStore, startSweeper];
    console.log(makers.map((f) => typeof f).join());`;
  const functions = Array.from({ length: 9 }, () => 'function').join();
  expect(await output('node', '-e', script)).toBe(functions);
});

test('the package is used from ESM by named imports, and both get the same copy', async () => {
  await addPeers();
  const script = `
    import { createRequire } from 'node:module';
    import { createOperatorRouter, createMemoryStore } from 'rgs-wallet-kit';
    import { createRedisStore } from 'rgs-wallet-kit/redis';
    const required = createRequire(import.meta.url)('rgs-wallet-kit');
    console.log(typeof createOperatorRouter, typeof createRedisStore, required.createMemoryStore === createMemoryStore);`;
  await writeFile(join(folder, 'user.mjs'), script);
  expect(await output('node', 'user.mjs')).toBe('function function true');
});

test('every entry of the exports resolves to a file that loads', async () => {
  await addPeers();
  const entries = Object.keys(manifest.exports).map((entry) =>
    entry.replace('.', 'rgs-wallet-kit'),
  );
  const script = `for (const entry of ${JSON.stringify(entries)}) if (!require(entry)) throw entry`;
  await output('node', '-e', script);
});

test('the package carries its schemas, and nothing of its workshop', () => {
  const documents = documentNames.map((name) => `openapi/${name}.json`);
  expect(packed).toEqual(
    expect.arrayContaining([...filesBelow('schemas', ['.json']), ...documents]),
  );
  const allowed =
    /^(?:dist|docs|examples|openapi|schemas|vectors)\/|^(?:package\.json|LICENSE|README\.md|CHANGELOG\.md)$/;
  expect(packed.filter((path) => !allowed.test(path))).toEqual([]);
});

test('what lib has in other files than programs is in modules of the package, text by text', async () => {
  const modules = packed.filter((path) => path.endsWith('/packed.js'));
  const texts = modules.flatMap((path) => {
    const { packed: files } = require(join(ROOT, path)) as { packed: Map<string, string> };
    return [...files.values()];
  });
  const assets = [
    ...filesBelow('lib', ['.lua', '.sql', '.py']),
    ...filesBelow('schemas', ['.json']),
    ...documentNames.map((name) => `openapi/${name}.json`),
  ];
  expect(assets.length).toBeGreaterThan(100);
  expect(texts.toSorted()).toEqual([manifest.version, ...assets.map(textOf)].toSorted());
  expect(packed.filter((path) => /^dist\/.*\.(?:lua|sql|py)$/.test(path))).toEqual([]);
  for (const path of modules) {
    expect(await readFile(join(ROOT, path), 'utf8')).not.toMatch(/__dirname|require\(/);
  }
});

// What is built has the comments and the names of its source, and almost its lines.
test('the package carries no source maps, and nothing that points to one', async () => {
  expect(packed.filter((path) => path.endsWith('.map'))).toEqual([]);
  const scripts = packed.filter((path) => path.endsWith('.js') || path.endsWith('.d.ts'));
  expect(scripts.length).toBeGreaterThan(100);
  const texts = await Promise.all(scripts.map((path) => readFile(join(ROOT, path), 'utf8')));
  expect(scripts.filter((_, index) => /^\/\/# sourceMapping/m.test(texts[index] ?? ''))).toEqual(
    [],
  );
});

test('the installed command prints its help', async () => {
  const [command = ''] = Object.keys(manifest.bin);
  expect(await output(join(folder, 'node_modules/.bin', command), '--help')).toContain(command);
});

test('npm corrects nothing in what it would publish', async () => {
  const flags = ['--dry-run', '--ignore-scripts', '--access', 'public'];
  const args = ['publish', ...flags, '--loglevel', 'notice'];
  const { stderr } = await run('npm', args, { cwd: ROOT });
  expect(stderr).toContain('npm notice name: rgs-wallet-kit');
  const warnings = stderr.split('\n').filter((line) => line.startsWith('npm warn'));
  expect(warnings.filter((line) => !line.includes('to be logged in'))).toEqual([]);
});

test('publint finds nothing to warn of', async () => {
  await output(tool('publint'), 'run', '--strict', tarball);
});

test('the types resolve as the code does, from CommonJS, from ESM and by classic resolution', async () => {
  const options = '--profile strict --format ascii --no-color --no-emoji';
  await output(tool('attw'), tarball, ...options.split(' '));
});
