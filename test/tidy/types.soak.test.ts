import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { packInto } from './pack';
import { ROOT } from './source';

const run = promisify(execFile);

/** The compilers beside the kit's own. They are installed here, since all of them bring a command `tsc`. */
const older = ['5.4.5', '5.5.4', '5.6.3', '5.9.3'];

/** Module settings of a user's compiler; TypeScript 7 has dropped the classic resolution. */
const settings = {
  node16: ['--module', 'node16', '--moduleResolution', 'node16'],
  classic: ['--module', 'commonjs', '--moduleResolution', 'node'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
} as const;

/** Strict, and each declaration file checked too: the package's own, and what they need of others. */
const strict =
  '--noEmit --strict --exactOptionalPropertyTypes --esModuleInterop --target es2022 --types node --skipLibCheck false';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rgs-wallet-kit-types-'));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const { tarball } = await packInto(folder);
  const compilers = older.map((version) => `${aliasOf(version)}@npm:typescript@${version}`);
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  const packages = [tarball, ...compilers];
  await run('npm', ['install', ...flags, ...packages], { cwd: folder });
  for (const name of ['@types', 'express', 'ioredis', 'pg']) {
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
  }
  await copyFile(join(ROOT, 'test/tidy/user-program.ts'), join(folder, 'user.ts'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function aliasOf(version: string): string {
  return `typescript-${version.replaceAll('.', '-')}`;
}

/** What a compiler finds wrong with a program in the user's folder; nothing where it compiles. */
async function faultsOf(
  compiler: string,
  mode: keyof typeof settings,
  program = 'user.ts',
): Promise<string> {
  const args = [compiler, ...strict.split(' '), ...settings[mode], program];
  const result = await run(process.execPath, args, { cwd: folder }).catch((error: unknown) => {
    return error as { stdout: string; stderr: string };
  });
  return result.stdout + result.stderr;
}

function olderCompiler(version: string): string {
  return join(folder, 'node_modules', aliasOf(version), 'bin/tsc');
}

const current = join(ROOT, 'node_modules/typescript/bin/tsc');

describe.each(older)('TypeScript %s', (version) => {
  test.each(['node16', 'classic'] as const)(
    'compiles a program over every subpath, library files included, with %s resolution',
    async (mode) => {
      expect(await faultsOf(olderCompiler(version), mode)).toBe('');
    },
  );
});

describe('the current TypeScript', () => {
  test.each(['node16', 'bundler'] as const)(
    'compiles a program over every subpath, library files included, with %s resolution',
    async (mode) => {
      expect(await faultsOf(current, mode)).toBe('');
    },
  );
});

test('a program that gives a store a wrong amount does not compile, by the oldest and the current one', async () => {
  const program = `import { createMemoryStore } from 'rgs-wallet-kit';
    const names = { operatorId: 'a', playerId: 'b', currency: 'EUR', reference: 'c' };
    void createMemoryStore().players.deposit({ ...names, amount: 10n });`;
  await writeFile(join(folder, 'wrong.ts'), program);
  for (const compiler of [olderCompiler('5.4.5'), current]) {
    expect(await faultsOf(compiler, 'node16', 'wrong.ts')).toMatch(/^wrong\.ts.*error TS2322/);
  }
});
