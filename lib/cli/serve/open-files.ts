import { readFileSync } from 'node:fs';

/**
 * File descriptors reserved for everything but callers' connections: the store and the ledger with their
 * reconnections, the log, files.
 */
const reservedMost = 128;

/**
 * How many files this process may open (its soft limit); null if the system does not report it or sets
 * none.
 */
export function openFilesLimit(): number | null {
  return limitOfLinux() ?? limitOfReport();
}

/** How many callers' connections fit besides the reserve for the store; null if there is no limit. */
export function connectionsWithin(openFiles: number | null): number | null {
  if (openFiles === null) return null;
  return Math.max(1, openFiles - Math.min(reservedMost, Math.ceil(openFiles / 2)));
}

function limitOfLinux(): number | null {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return numberOf(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  } catch {
    return null; // not Linux
  }
}

/** The process report has it on every POSIX system, but takes some milliseconds. */
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
