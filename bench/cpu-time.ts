import { readFileSync } from 'node:fs';
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
