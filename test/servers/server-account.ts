import { execFile } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { chmod, chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { temporaryFolder } from './reaper';

const run = promisify(execFile);
const CACHE = resolve(__dirname, '../../node_modules/.cache/rgs-wallet-kit');

/** Whom a server runs as, in the words of child_process: empty for this process's own user. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * The account for servers that refuse to run as root (PostgreSQL, PgBouncer): our own, unless that is root; then `postgres`
 * if there is such a user, else `nobody`.
 */
export function serverAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8');
  for (const name of ['postgres', 'nobody']) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users) ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('root cannot run PostgreSQL, and there is neither a user postgres nor nobody');
}

/** A temporary folder that belongs to the account, for a server's data; `below` as in temporaryFolder. */
export async function accountFolder(prefix: string, below?: string): Promise<string> {
  const { uid, gid } = serverAccount();
  const folder = await temporaryFolder(prefix, below);
  if (uid === undefined || gid === undefined) return folder;
  await chmod(dirname(folder), 0o711); // or the account could not reach it
  await chown(folder, uid, gid);
  return folder;
}

/** Runs a program as the account, to its end, and resolves to what it wrote on its standard output. */
export async function runAsAccount(program: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C' };
  // The account may not be allowed into the present folder, and initdb wants to know where it is.
  const { stdout } = await run(program, args, { ...serverAccount(), cwd: '/', env });
  return stdout;
}

/** Lets the account read and run what we unpacked, whatever our umask. */
export async function openToAll(folder: string): Promise<void> {
  await run('chmod', ['-R', 'a+rX', folder]);
}

/**
 * The folder for fetched programs and prepared data: in node_modules, or, where the account cannot reach that (a checkout in
 * root's home) or we may not write to it, below the temporary folder.
 */
export async function accountCache(): Promise<string> {
  if (await isUsable(CACHE)) return CACHE;
  const own = join(tmpdir(), `rgs-wallet-kit-cache-${process.getuid?.() ?? 0}`);
  if (!(await isUsable(own))) throw new Error(`neither ${CACHE} nor ${own} can serve as a cache`);
  const { uid, mode } = lstatSync(own);
  const isOurs = uid === process.getuid?.() && (mode & 0o022) === 0;
  if (!isOurs) throw new Error(`${own} belongs to somebody else, or others may write to it`);
  return own;
}

async function isUsable(folder: string): Promise<boolean> {
  try {
    mkdirSync(folder, { recursive: true });
    await run('test', ['-w', folder]);
    await run('test', ['-x', folder], { ...serverAccount(), cwd: '/' });
    return lstatSync(folder).isDirectory();
  } catch {
    return false;
  }
}
