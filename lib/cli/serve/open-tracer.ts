import { type OpenTelemetryTracer, spansOf } from '../../platform/tracing';
import { CommandFailure, messageOf } from '../terminal/failure';
import { loadDefault } from '../terminal/load-default';

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
  try {
    spansOf('serve', tracer ?? null);
  } catch (error) {
    throw new CommandFailure(`--tracer ${file}: ${messageOf(error)}`);
  }
  return { option: { tracer }, close: async () => tracer.close?.() };
}
