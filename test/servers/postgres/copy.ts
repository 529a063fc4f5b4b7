import { execFile } from 'node:child_process';
import { chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Client } from 'pg';

import { serverAccount } from '../server-account';
import type { PostgresServer } from './server';

const run = promisify(execFile);
/** A standby streams the log; the lock is that of the running server. */
const leftOut = new Set(['pg_wal', 'postmaster.pid', 'postmaster.opts', 'pg_stat_tmp']);
/** A file may vanish while it is copied. */
const ATTEMPTS = 5;

/** Copies the data of a running server, for a standby of it: a base backup by SQL, which needs no program of its own. */
export async function copyRunning(
  { url, dir }: Pick<PostgresServer, 'url' | 'dir'>,
  data: string,
): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { start, stop } = await functionsOf(client);
    await client.query(`SELECT ${start}`);
    await copyFiles(join(dir, 'data'), data);
    const { rows } = await client.query<{ labelfile: string }>(`SELECT labelfile FROM ${stop}`);
    const label = join(data, 'backup_label');
    await writeFile(label, rows[0]?.labelfile ?? '');
    await giveAway(label);
  } finally {
    await client.end();
  }
}

/** PostgreSQL 15 has renamed them. */
async function functionsOf(client: Client): Promise<{ start: string; stop: string }> {
  const sql = "SELECT current_setting('server_version_num')::int >= 150000 AS new";
  const { rows } = await client.query<{ new: boolean }>(sql);
  return rows[0]?.new === true
    ? { start: "pg_backup_start('copy', true)", stop: 'pg_backup_stop(false)' }
    : { start: "pg_start_backup('copy', true, false)", stop: 'pg_stop_backup(false, false)' };
}

async function copyFiles(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await makeFolder(to);
      await makeFolder(join(to, 'pg_wal'));
      await makeFolder(join(to, 'pg_stat_tmp'));
      const names = (await readdir(from)).filter((name) => !leftOut.has(name));
      // -p keeps the owner, also where root copies
      await run('cp', ['-Rp', ...names.map((name) => join(from, name)), to]);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await rm(to, { recursive: true, force: true });
    }
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  await giveAway(path);
}

async function giveAway(path: string): Promise<void> {
  const { uid, gid } = serverAccount();
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}
