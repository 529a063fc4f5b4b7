import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Disk } from './disk';
import { JournalError } from './port';

/** The process that opens the journal. */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Whether a process of this host runs. */
  isAlive(pid: number): boolean;
}

/** This process. */
export function thisProcess(): Owner {
  return { pid: process.pid, host: hostname(), isAlive };
}

/** A lock that is held. */
export interface Lock {
  /** Dead processes that lost their lock. */
  readonly takenOver: readonly number[];
  release(): Promise<void>;
}

/** Locks of this process: one that has its pid and is not among them is of a dead process that had it before. */
const held = new Set<string>();

/**
 * Locks the journal for this process, by a lock file that is named after its host and pid. It creates its
 * own first and then looks for others, so of two that start at once never both go on. The lock file of a
 * dead process is removed: of one that is not there any more, or had this very pid, as the first process of
 * a restarted container does. A lock file of another host cannot be judged, and so holds. Two containers that share a
 * volume, the host's name and a pid are not told apart.
 * @throws JournalError LOCKED, naming the process and the file.
 */
export async function lock(disk: Disk, path: string, owner: Owner): Promise<Lock> {
  const own = nameOf(path, owner);
  const file = join(dirname(path), own);
  if (held.has(file)) throw locked(path, 'by this process, which has opened it already');
  held.add(file);
  try {
    await (await disk.open(file, 'any')).close();
    const takenOver = await judgeOthers(disk, path, owner, own);
    return {
      takenOver,
      release: async () => {
        // A file left over soon belongs to a dead process, and is taken over.
        await disk.remove(file).catch(() => {});
        held.delete(file);
      },
    };
  } catch (error) {
    held.delete(file);
    await disk.remove(file).catch(() => {});
    throw error;
  }
}

/** Removes the lock files of dead processes; returns their pids. @throws JournalError for one that holds. */
async function judgeOthers(
  disk: Disk,
  path: string,
  owner: Owner,
  own: string,
): Promise<readonly number[]> {
  const dead: number[] = [];
  for (const name of await disk.list(dirname(path))) {
    const other = ownerIn(name, path);
    if (other === null || name === own) continue;
    if (other.host !== encode(owner.host) || owner.isAlive(other.pid)) {
      const where = other.host === encode(owner.host) ? '' : ` of host ${other.host}`;
      throw locked(path, `by process ${other.pid}${where}; if it runs no more, remove ${name}`);
    }
    await disk.remove(join(dirname(path), name));
    dead.push(other.pid);
  }
  return dead;
}

function nameOf(path: string, { host, pid }: Owner): string {
  return `${basename(path)}.${encode(host)}.${pid}.lock`;
}

/** The owner in the name of a lock file of this journal; null for another file. */
function ownerIn(name: string, path: string): { host: string; pid: number } | null {
  const start = `${basename(path)}.`;
  if (!name.startsWith(start)) return null;
  const found = /^([^.]+)\.(\d{1,10})\.lock$/.exec(name.slice(start.length));
  return found === null ? null : { host: found[1] ?? '', pid: Number(found[2]) };
}

/** A host's name without the points that part the name of a lock file. */
function encode(host: string): string {
  return encodeURIComponent(host).replaceAll('.', '%2E') || 'localhost';
}

function locked(path: string, by: string): JournalError {
  return new JournalError('LOCKED', `The journal ${path} is in use ${by}.`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
