import { readFileSync } from 'node:fs';
import { type OpenTelemetryTracer, spansOf } from '../../platform/tracing';
import { orFail } from '../terminal/failure';
import { loadDefault } from '../terminal/load-default';

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

/** A tracer from a file, which may have a method `close`. */
type FileTracer = OpenTelemetryTracer & { close?(): void | Promise<void> };

/** The tracer of a service, if it has one. */
export interface OpenedTracer {
  /** The option `tracer`, or nothing. */
  readonly option: { readonly tracer?: OpenTelemetryTracer };
  /** Closes the tracer, if it has a method `close`: it sends what it still holds. */
  close(): Promise<void>;
}

/**
 * The tracer of a JavaScript file: its default export is a Tracer of OpenTelemetry, or a function that
 * returns one.
 * @throws CommandFailure that names the file and the fault.
 */
export async function openTracer(file: string | undefined): Promise<OpenedTracer> {
  if (file === undefined) return { option: {}, close: async () => {} };
  const tracer = (await loadDefault('--tracer', file)) as FileTracer;
  orFail(`--tracer ${file}`, () => spansOf('serve', tracer ?? null));
  return { option: { tracer }, close: async () => tracer.close?.() };
}
