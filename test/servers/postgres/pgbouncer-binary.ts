import { join } from 'node:path';

import { installWithApt, unpackWithApt, writeLauncher } from '../apt-packages';
import { findProgram, onPath } from '../program-finder';
import { accountCache, openToAll, runAsAccount } from '../server-account';

let found: Promise<string> | undefined;

/**
 * The path of a PgBouncer of version 1.12 or later: PGBOUNCER if set, else on the PATH or where systems install it, else a copy
 * in the cache, else one fetched with apt into the cache (no root, nothing installed, nothing started). Safe to call from several
 * processes. Rejects with one line that says what to install.
 */
export function findPgbouncer(): Promise<string> {
  found ??= findProgram({
    name: 'pgbouncer',
    oldest: [1, 12],
    variable: 'PGBOUNCER',
    cure: 'install pgbouncer >= 1.12, or set PGBOUNCER to the path of one',
    // It is kept among the programs of the administrator, which few have on their PATH.
    places: () => [
      ...onPath('pgbouncer'),
      '/usr/sbin/pgbouncer',
      '/usr/local/sbin/pgbouncer',
      '/opt/homebrew/bin/pgbouncer',
    ],
    version: pgbouncerVersion,
    cache: async () => join(await accountCache(), 'pgbouncer'),
    pathInCopy: 'pgbouncer',
    fetchers: [unpackPgbouncer],
    install: () => installWithApt('pgbouncer'),
  });
  return found;
}

async function pgbouncerVersion(path: string): Promise<string | undefined> {
  try {
    return /PgBouncer (\d+\.\d+\.\d+)/.exec(await runAsAccount(path, ['--version']))?.[1];
  } catch {
    return undefined;
  }
}

async function unpackPgbouncer(folder: string): Promise<void> {
  const root = await unpackWithApt(folder, { names: ['pgbouncer'] });
  writeLauncher(join(folder, 'pgbouncer'), join(root, 'usr/sbin/pgbouncer'), root);
  await openToAll(folder);
}
