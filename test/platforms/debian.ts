import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program of a release of Debian, whatever the system at hand is a release of. */
export interface DebianProgram {
  /** Such as `trixie`; where two are named, the first is preferred. */
  readonly suites: readonly string[];
  readonly packages: readonly string[];
  /** The path of the program, as `usr/bin/valkey-server`. */
  readonly path: string;
}

/**
 * Downloads a program with all that it needs, its C library too, into `folder`, and resolves to the path of a script that starts
 * it there. Nothing is installed; the signatures of the lists are checked by the keys of this system.
 */
export async function unpackFromDebian(
  folder: string,
  { suites, packages, path }: DebianProgram,
): Promise<string> {
  const root = join(folder, 'root');
  for (const name of ['lists/partial', 'cache/archives/partial', 'root']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  const key = 'signed-by=/usr/share/keyrings/debian-archive-keyring.gpg';
  const sources = suites.map((suite) => {
    return `deb [${key}] http://deb.debian.org/debian ${suite} main\n`;
  });
  await writeFile(join(folder, 'sources.list'), sources.join(''));
  await writeFile(join(folder, 'status'), '');
  const flags = [
    `Dir::Etc::sourcelist=${join(folder, 'sources.list')}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${join(folder, 'lists')}`,
    `Dir::State::status=${join(folder, 'status')}`,
    `Dir::Cache=${join(folder, 'cache')}`,
    `APT::Default-Release=${suites[0] ?? ''}`,
    'Acquire::Languages=none',
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  await run('apt-get', [...flags, 'update'], { maxBuffer: 16 * 1024 * 1024 });
  const install = ['install', '--download-only', '-y', '--no-install-recommends', ...packages];
  await run('apt-get', [...flags, ...install], { maxBuffer: 16 * 1024 * 1024 });
  const archives = join(folder, 'cache/archives');
  for (const name of await readdir(archives)) {
    if (name.endsWith('.deb')) await run('dpkg', ['-x', join(archives, name), root]);
  }
  return writeStarter(folder, root, path);
}

async function writeStarter(folder: string, root: string, path: string): Promise<string> {
  const files = await readdir(root, { recursive: true });
  const loader = files.find((name) => /(?:^|\/)ld-linux[^/]*\.so\.\d+$/.test(name));
  if (loader === undefined) throw new Error(`the packages of ${path} hold no loader`);
  const libraries = files.filter((name) => /(?:^|\/)lib[^/]*\.so(?:\.\d+)*$/.test(name));
  const places = [...new Set(libraries.map((name) => join(root, dirname(name))))].join(':');
  const starter = join(folder, path.split('/').at(-1) ?? '');
  const command = [join(root, loader), '--argv0', path.split('/').at(-1), '--library-path', places];
  await writeFile(starter, `#!/bin/sh\nexec ${command.join(' ')} ${join(root, path)} "$@"\n`);
  await chmod(starter, 0o755);
  return starter;
}
