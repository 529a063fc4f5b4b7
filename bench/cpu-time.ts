import { readdirSync, readFileSync } from 'node:fs';
import { childrenOf } from '../test/servers/process-table';

/** Ticks of /proc in a second: 100 on every Linux. */
const ticksPerSecond = 100;

/**
 * CPU seconds of a process and its children: to the nanosecond of those that run, to a hundredth of a second of children
 * that have ended. NaN without /proc.
 */
export function cpuSeconds(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const running = [pid, ...childrenOf(pid)];
  return running.reduce((sum, each) => sum + secondsOfThreads(each), secondsOfEndedChildren(pid));
}

function secondsOfThreads(pid: number): number {
  try {
    const times = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]),
    );
    return times.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e9;
  } catch {
    return 0; // it ended since it was listed
  }
}

function secondsOfEndedChildren(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(13, 15).reduce((sum, text) => sum + Number(text), 0);
    return ticks / ticksPerSecond;
  } catch {
    return 0; // it ended since it was listed
  }
}
