import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { withFileLock } from './file-lock';

/** A program the tests need, and every way to come by it. */
export interface WantedProgram {
  /** Such as `redis-server`. */
  readonly name: string;
  readonly oldest: readonly [major: number, minor: number];
  /** The environment variable that names the program's path. */
  readonly variable: string;
  /** What to install, for the one who reads the error. */
  readonly cure: string;
  /** Paths it may already be at, the best first. */
  places(): readonly string[] | Promise<readonly string[]>;
  /** The version a path reports, such as `7.0.15`; undefined when it does not run. */
  version(path: string): Promise<string | undefined>;
  /** The folder for fetched copies, one per version. */
  cache(): string | Promise<string>;
  /** The program's path within a fetched copy. */
  readonly pathInCopy: string;
  /** Ways to fill a folder with a copy, the best first. */
  readonly fetchers: readonly ((folder: string) => Promise<void>)[];
  /** Installs it in the system, after which `places` is asked again. */
  install?(): Promise<void>;
}

/**
 * The path of a program: its environment variable if set, else one of its places, else a copy in the cache, else one fetched
 * into the cache, else one installed. Safe to call from several processes. Rejects with one line that says what to install.
 */
export async function findProgram(wanted: WantedProgram): Promise<string> {
  const { name, oldest, variable, cure } = wanted;
  const title = `${name} >= ${oldest.join('.')}`;
  const chosen = process.env[variable];
  if (chosen) {
    if (await isFit(wanted, chosen)) return chosen;
    throw new Error(`${variable}=${chosen} is not ${title}: ${cure}`);
  }
  const sought = process.env[unavailable(variable)];
  if (sought) throw new Error(sought);
  const place = await firstFit(wanted, await wanted.places());
  if (place) return place;
  const cache = await wanted.cache();
  return (
    (await inCache(wanted, cache)) ??
    withFileLock(`${cache}.lock`, async () => {
      // Another process may have fetched it while this one waited for the lock.
      const path = (await inCache(wanted, cache)) ?? (await fetch(wanted, cache, title));
      return path;
    })
  );
}

/** The variable that says that the search failed, so that other processes need not search again. */
export function unavailable(variable: string): string {
  return `${variable}_UNAVAILABLE`;
}

/** The paths a program of this name would have in the folders of PATH. */
export function onPath(name: string): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name));
}

/** The first line of what went wrong. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n', 1)[0] ?? '';
}

async function fetch(wanted: WantedProgram, cache: string, title: string): Promise<string> {
  const reasons: string[] = [];
  const attempts = [
    ...wanted.fetchers.map((fetcher) => () => intoCache(wanted, cache, fetcher)),
    () => intoSystem(wanted),
  ];
  for (const attempt of attempts) {
    try {
      const path = await attempt();
      if (path) return path;
    } catch (error) {
      reasons.push(firstLine(error));
    }
  }
  const why = reasons.join('; ');
  throw new Error(`no ${title} found${why && ` (${why})`}: ${wanted.cure}`);
}

async function intoCache(
  wanted: WantedProgram,
  cache: string,
  fetcher: (folder: string) => Promise<void>,
): Promise<string | undefined> {
  const staging = join(cache, `.staging-${process.pid}`);
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  try {
    await fetcher(staging);
    const version = await wanted.version(join(staging, wanted.pathInCopy));
    if (!version) throw new Error(`the fetched ${wanted.name} does not run`);
    await rm(join(cache, version), { recursive: true, force: true });
    await rename(staging, join(cache, version));
    return await inCache(wanted, cache);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function intoSystem(wanted: WantedProgram): Promise<string | undefined> {
  await wanted.install?.();
  return firstFit(wanted, await wanted.places());
}

async function inCache(wanted: WantedProgram, cache: string): Promise<string | undefined> {
  if (!existsSync(cache)) return undefined;
  const versions = (await readdir(cache)).filter((name) => /^\d/.test(name));
  const paths = versions.map((version) => join(cache, version, wanted.pathInCopy));
  return firstFit(wanted, paths);
}

async function firstFit(
  wanted: WantedProgram,
  paths: readonly string[],
): Promise<string | undefined> {
  for (const path of paths) {
    if (existsSync(path) && (await isFit(wanted, path))) return path;
  }
  return undefined;
}

async function isFit(wanted: WantedProgram, path: string): Promise<boolean> {
  const [major = 0, minor = 0] = ((await wanted.version(path)) ?? '').split('.').map(Number);
  const [oldestMajor, oldestMinor] = wanted.oldest;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
