import { readdirSync, readFileSync } from 'node:fs';
import { childrenOf } from '../test/servers/process-table';

/** Ticks of /proc in a second: 100 on every Linux. */
const ticksPerSecond = 100;

/** CPU seconds of a process and its children, including ended ones; NaN without /proc. */
export function cpuSeconds(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + ownSeconds(each), 0);
}

function ownSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0);
    return ticks / ticksPerSecond;
  } catch {
    return 0; // it ended since it was listed
  }
}

/**
 * The same of those that run, to the nanosecond: for short times, which the ticks of {@link cpuSeconds} are too coarse for.
 * What has ended counts no more.
 */
export function fineCpuSeconds(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + secondsOfThreads(each), 0);
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
