import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/** A process of this machine. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** `stopped` by SIGSTOP; `ended` while nobody has yet asked how it ended. */
  readonly state: 'alive' | 'stopped' | 'ended';
}

/** The processes whose parent is `pid`. */
export function childrenOf(pid: number): number[] {
  return processes()
    .filter(({ parent }) => parent === pid)
    .map((child) => child.pid);
}

/** What has become of these processes; the ones that are gone are left out. */
export function stillThere(pids: readonly number[]): ProcessEntry[] {
  const entries = process.platform === 'linux' ? pids.flatMap(linuxProcess) : processes();
  return entries.filter(({ pid, state }) => pids.includes(pid) && state !== 'ended');
}

/** Sends the signal to each process that still exists. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // Within Jest's sandbox, Node's own errors are no instances of the sandbox's Error.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

// Slim containers have no ps, and other systems no /proc.
function processes(): ProcessEntry[] {
  if (process.platform !== 'linux') return processesOfPs();
  const pids = readdirSync('/proc').map(Number);
  return pids.filter((pid) => pid > 0).flatMap(linuxProcess);
}

function linuxProcess(pid: number): ProcessEntry[] {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return []; // it has ended since it was listed
  }
  const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [{ pid, parent: Number(parent), state: stateOf(state) }];
}

function processesOfPs(): ProcessEntry[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state='], { encoding: 'utf8' });
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, state = ''] = line.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), state: stateOf(state) };
    });
}

function stateOf(letters: string): ProcessEntry['state'] {
  if (letters.startsWith('T')) return 'stopped';
  return /^[ZXx]/.test(letters) ? 'ended' : 'alive';
}
