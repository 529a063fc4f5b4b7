import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian packages to unpack. */
export interface AptPackages {
  /** The packages that hold the program. */
  readonly names: readonly string[];
  /** Libraries that are dependencies, but that the program starts without. */
  readonly without?: RegExp;
}

/**
 * Downloads Debian packages and the libraries of theirs that this system lacks, and unpacks them below `folder` without
 * installing anything. Resolves to the root of what was unpacked. Root is needed only if the package lists are empty.
 */
export async function unpackWithApt(folder: string, packages: AptPackages): Promise<string> {
  await ensureListed(packages.names);
  await download(folder, packages).catch(async (error: unknown) => {
    if (!isRoot()) throw error;
    await run('apt-get', ['update']); // lists that are days old name files the mirror no longer has
    await download(folder, packages);
  });
  const root = join(folder, 'root');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    await run('dpkg', ['-x', join(folder, file), root]);
    rmSync(join(folder, file));
  }
  return root;
}

/**
 * Installs a Debian package as root, for a system whose `apt-get download` does not serve. Refuses where systemd runs:
 * there the package would start its server.
 */
export async function installWithApt(name: string): Promise<void> {
  if (!isRoot()) throw new Error('not root, so apt-get install is not possible');
  if (existsSync('/run/systemd/system')) throw new Error('systemd would start the server');
  await ensureListed([name]);
  await run('apt-get', ['install', '-y', '--no-install-recommends', name], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
}

/** Fetches the package lists if apt knows no such packages. */
export async function ensureListed(names: readonly string[]): Promise<void> {
  if ((await Promise.all(names.map(isKnown))).every(Boolean)) return;
  if (!isRoot()) throw new Error('apt has no package lists, and only root can fetch them');
  await run('apt-get', ['update']);
}

/** The names a package depends on, the ways to meet one need together: `[['locales', 'locales-all'], ['libc6']]`. */
export async function aptDependencies(name: string): Promise<string[][]> {
  const { stdout } = await run('apt-cache', ['depends', '--important', name]);
  const needs: string[][] = [];
  let alternatives: string[] = [];
  for (const [, bar, dependency = ''] of stdout.matchAll(/^ *(\|?)(?:Pre)?Depends: (\S+)/gm)) {
    alternatives.push(dependency);
    if (bar) continue; // the next line is another way to meet the same need
    needs.push(alternatives);
    alternatives = [];
  }
  return needs;
}

/** Writes a script that finds its libraries relative to itself, so that the folder above it can be moved. */
export function writeLauncher(launcher: string, binary: string, root: string): void {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const libraries = files.filter((name) => /(?:^|\/)lib[^/]*\.so(?:\.\d+)*$/.test(name));
  const libraryFolders = [...new Set(libraries.map((name) => dirname(join(root, name))))];
  const inside = (path: string): string => `$here/${relative(dirname(launcher), path)}`;
  const searchPath = libraryFolders.map(inside).join(':');
  mkdirSync(dirname(launcher), { recursive: true });
  writeFileSync(
    launcher,
    `#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
LD_LIBRARY_PATH="${searchPath}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export LD_LIBRARY_PATH
exec "${inside(binary)}" "$@"
`,
  );
  chmodSync(launcher, 0o755);
}

async function download(folder: string, packages: AptPackages): Promise<void> {
  const libraries = await missingLibraries(packages);
  await run('apt-get', ['download', ...packages.names, ...libraries], { cwd: folder });
}

/** The libraries that are not installed here, and those they need in turn; of alternatives, the first. */
async function missingLibraries({ names, without }: AptPackages): Promise<string[]> {
  const missing = new Set<string>();
  const asked = [...names];
  for (const name of asked) {
    for (const need of await aptDependencies(name)) {
      const libraries = need.filter((library) => /^(?:lib|lua)/.test(library));
      const [first] = libraries;
      if (!first || missing.has(first) || without?.test(first)) continue;
      if ((await Promise.all(libraries.map(isInstalled))).includes(true)) continue;
      missing.add(first);
      asked.push(first);
    }
  }
  return [...missing];
}

async function isKnown(name: string): Promise<boolean> {
  const { stdout } = await run('apt-cache', ['policy', name]);
  return /Candidate: \d/.test(stdout);
}

async function isInstalled(name: string): Promise<boolean> {
  try {
    const { stdout } = await run('dpkg-query', ['-W', '-f', '${Status}\\n', name]);
    return stdout.includes('install ok installed');
  } catch {
    return false;
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
