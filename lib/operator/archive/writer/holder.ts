import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { SessionHolder } from '../format';

/** This process, as it names itself in the folder. */
export interface ArchiveProcess extends Omit<SessionHolder, 'session'> {
  /** Whether a process of the same place runs. */
  isRunning(pid: number): boolean;
}

/** The process that calls. */
export function thisProcess(): ArchiveProcess {
  return { host: hostname().slice(0, 255), pid: process.pid, place: placeOfProcess(), isRunning };
}

/** Whether the holder of a session is known to be gone. */
export function hasEnded(holder: SessionHolder | null, own: ArchiveProcess): boolean {
  if (holder === null || holder.place === '' || holder.place !== own.place) return false;
  return holder.pid === own.pid || !own.isRunning(holder.pid);
}

/** Processes with the same place see each other by their ids; "" where that is unknown. */
function placeOfProcess(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM';
  }
}
