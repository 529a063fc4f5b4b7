import type { OpenTelemetryTracer } from './opentelemetry';
import { type SpanParent, Spans } from './spans';

/**
 * The spans of an option `tracer`; null if it is not set.
 * @throws TypeError for anything but a tracer.
 */
export function spansOf(
  place: string,
  tracer: OpenTelemetryTracer | undefined,
  parent?: SpanParent,
): Spans | null {
  if (tracer === undefined) return null;
  const { startActiveSpan } = Object(tracer) as { readonly startActiveSpan?: unknown };
  if (typeof startActiveSpan === 'function') return new Spans(tracer, parent);
  throw new TypeError(`${place}: tracer must be a Tracer of @opentelemetry/api`);
}
