import type { OpenTelemetrySpanContext } from './opentelemetry';

/** The header of W3C Trace Context. */
export const traceparentHeader = 'traceparent';

/** A version, the trace, the span and the flags; what a later version adds begins with a dash. */
const form =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Longer than any known version; a later one that is longer is not read. */
const longest = 256;

/** The only flag of version 00: the caller's span is sampled. */
const sampled = 1;

/**
 * The span that a caller names in its header `traceparent`. Null for one that is missing, doubled, or wrong
 * in any way: then a new trace begins.
 */
export function readTraceparent(header: unknown): OpenTelemetrySpanContext | null {
  if (typeof header !== 'string' || header.length > longest) return null;
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(header) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & sampled };
}

/** The header for a call that is made in this span; null if there is no trace. */
export function writeTraceparent(span: OpenTelemetrySpanContext): string | null {
  const { traceId, spanId, traceFlags } = span;
  const flags = (traceFlags & sampled) === sampled ? '01' : '00';
  const header = `00-${traceId}-${spanId}-${flags}`;
  return readTraceparent(header) === null ? null : header;
}
