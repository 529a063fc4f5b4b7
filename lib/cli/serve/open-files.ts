import { readFileSync } from 'node:fs';

/**
 * File descriptors that are kept for what is not a connection of a caller: the store and the ledger
 * with their reconnections, the log, files.
 */
const reservedMost = 128;

/** How many files this process may have open (its soft limit); null where the system does not tell, or has none. */
export function openFilesLimit(): number | null {
  return limitOfLinux() ?? limitOfReport();
}

/** How many connections of callers fit beside what is kept for the store; null where there is no limit. */
export function connectionsWithin(openFiles: number | null): number | null {
  if (openFiles === null) return null;
  return Math.max(1, openFiles - Math.min(reservedMost, Math.ceil(openFiles / 2)));
}

function limitOfLinux(): number | null {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return numberOf(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  } catch {
    return null; // no Linux
  }
}

/** The report of the process has it on every POSIX system, and takes some milliseconds to be made. */
function limitOfReport(): number | null {
  const report = process.report?.getReport() as
    | { userLimits?: Record<string, unknown> }
    | undefined;
  const limit = report?.userLimits?.['open_files'] as { soft?: unknown } | undefined;
  return numberOf(limit?.soft);
}

function numberOf(value: unknown): number | null {
  const number = Number(value);
  return value !== undefined && Number.isSafeInteger(number) && number > 0 ? number : null;
}
