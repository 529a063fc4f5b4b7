import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { withFileLock } from './file-lock';
import { installWithApt, unpackWithApt } from './redis-apt';

const run = promisify(execFile);
const OLDEST: readonly [number, number] = [7, 0];
const CACHE = resolve(__dirname, '../../node_modules/.cache/rgs-wallet-kit/redis');
const CURE = 'install redis-server >= 7.0, or set REDIS_SERVER to the path of one';

let found: Promise<string> | undefined;

/**
 * The path of a redis-server of version 7.0 or later: REDIS_SERVER if set, else on the PATH, else a copy in the cache, else
 * one fetched with apt into the cache (no root, nothing installed, nothing started). Safe to call from several processes.
 * Rejects with one line that says what to install.
 */
export function findRedisServer(): Promise<string> {
  found ??= locate();
  return found;
}

/** The version a redis-server binary reports, such as `7.0.15`; undefined when it does not run. */
export async function redisVersion(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(path, ['--version']);
    return /v=(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

async function locate(): Promise<string> {
  const chosen = process.env['REDIS_SERVER'];
  if (chosen) {
    if (await isRecentEnough(chosen)) return chosen;
    throw new Error(`REDIS_SERVER=${chosen} is not a redis-server >= 7.0: ${CURE}`);
  }
  return (await onPath()) ?? (await inCache()) ?? (await withFileLock(`${CACHE}.lock`, fetch));
}

async function fetch(): Promise<string> {
  const already = await inCache(); // another process may have fetched it while this one waited for the lock
  if (already) return already;
  const reasons: string[] = [];
  for (const attempt of [intoCache, intoSystem]) {
    try {
      const path = await attempt();
      if (path && (await isRecentEnough(path))) return path;
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  const why = reasons.map((reason) => reason.trim().split('\n', 1)[0]).join('; ');
  throw new Error(`no redis-server >= 7.0 found${why && ` (${why})`}: ${CURE}`);
}

async function intoCache(): Promise<string | undefined> {
  const staging = join(CACHE, `.staging-${process.pid}`);
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  try {
    const version = await redisVersion(await unpackWithApt(staging));
    if (!version) throw new Error('the unpacked redis-server does not run');
    await rm(join(CACHE, version), { recursive: true, force: true });
    await rename(staging, join(CACHE, version));
    return inCache();
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function intoSystem(): Promise<string | undefined> {
  await installWithApt();
  return onPath();
}

function onPath(): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return firstRecentEnough(folders.map((folder) => join(folder, 'redis-server')));
}

async function inCache(): Promise<string | undefined> {
  if (!existsSync(CACHE)) return undefined;
  const versions = (await readdir(CACHE)).filter((name) => /^\d/.test(name));
  return firstRecentEnough(versions.map((version) => join(CACHE, version, 'redis-server')));
}

async function firstRecentEnough(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (existsSync(path) && (await isRecentEnough(path))) return path;
  }
  return undefined;
}

async function isRecentEnough(path: string): Promise<boolean> {
  const [major = 0, minor = 0] = ((await redisVersion(path)) ?? '').split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
