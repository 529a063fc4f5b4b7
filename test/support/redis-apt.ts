import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
// Debian keeps the binary itself in redis-tools; redis-server holds the link to it.
const PACKAGES = ['redis-server', 'redis-tools'];
/**
 * Downloads Debian's Redis and the libraries this system lacks, unpacks them below `folder` without installing anything, and
 * returns the path of a `redis-server` launcher there. Root is needed only if the package lists are empty.
 */
export async function unpackWithApt(folder: string): Promise<string> {
  await ensurePackageLists();
  await download(folder).catch(async (error: unknown) => {
    if (!isRoot()) throw error;
    await run('apt-get', ['update']); // lists that are days old name files the mirror no longer has
    await download(folder);
  });
  const root = join(folder, 'root');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    await run('dpkg', ['-x', join(folder, file), root]);
    rmSync(join(folder, file));
  }
  return writeLauncher(folder, root);
}

/**
 * Installs Debian's redis-server as root, for a system whose `apt-get download` does not serve. Refuses where systemd runs:
 * there the package would start a server on port 6379.
 */
export async function installWithApt(): Promise<void> {
  if (!isRoot()) throw new Error('not root, so apt-get install is not possible');
  if (existsSync('/run/systemd/system')) throw new Error('systemd would start the server');
  await ensurePackageLists();
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
}

async function download(folder: string): Promise<void> {
  await run('apt-get', ['download', ...PACKAGES, ...(await missingLibraries())], { cwd: folder });
}

async function ensurePackageLists(): Promise<void> {
  if (await isKnown('redis-tools')) return;
  if (!isRoot()) throw new Error('apt has no package lists, and only root can fetch them');
  await run('apt-get', ['update']);
}

async function isKnown(name: string): Promise<boolean> {
  const { stdout } = await run('apt-cache', ['policy', name]);
  return /Candidate: \d/.test(stdout);
}

/** The libraries redis-tools depends on that are not installed here; of alternatives, the first. */
async function missingLibraries(): Promise<string[]> {
  const { stdout } = await run('apt-cache', ['depends', '--important', 'redis-tools']);
  const missing: string[] = [];
  let alternatives: string[] = [];
  for (const [, bar, name] of stdout.matchAll(/^ *(\|?)(?:Pre)?Depends: (\S+)/gm)) {
    if (name && /^(?:lib|lua)/.test(name)) alternatives.push(name);
    if (bar) continue; // the next line is another way to meet the same need
    const installed = await Promise.all(alternatives.map(isInstalled));
    if (alternatives[0] && !installed.includes(true)) missing.push(alternatives[0]);
    alternatives = [];
  }
  return missing;
}

async function isInstalled(name: string): Promise<boolean> {
  try {
    const { stdout } = await run('dpkg-query', ['-W', '-f', '${Status}\\n', name]);
    return stdout.includes('install ok installed');
  } catch {
    return false;
  }
}

/** Writes a script that finds its libraries relative to itself, so that the folder can be moved. */
function writeLauncher(folder: string, root: string): string {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const libraries = files.filter((name) => /\.so(?:\.\d+)*$/.test(name));
  const libraryFolders = [...new Set(libraries.map((name) => dirname(join(root, name))))];
  const binary = ['redis-server', 'redis-check-rdb']
    .map((name) => join(root, 'usr/bin', name))
    .find((path) => existsSync(path));
  if (!binary) throw new Error('the packages hold no redis-server');
  const launcher = join(folder, 'redis-server');
  const inside = (path: string): string => `$here/${relative(folder, path)}`;
  const searchPath = libraryFolders.map(inside).join(':');
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
  return launcher;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
