import type { OpenTelemetrySpan, OpenTelemetrySpanContext, SpanAttributes } from './opentelemetry';

/** `SpanStatusCode.ERROR` of `@opentelemetry/api`. */
const errorStatus = 2;

/** What a log line has of its span. */
export interface TraceIds {
  readonly trace_id: string;
  readonly span_id: string;
}

/** A span that is open. Nothing of it throws: a tracer never changes what the kit does. */
export class Span {
  /** Null if there is no trace. */
  readonly ids: TraceIds | null;
  /** For the calls that are made in it; null if there is no trace. */
  readonly traceparent: string | null;

  private hasFailed = false;

  constructor(private readonly span: OpenTelemetrySpan | null) {
    const context = contextOf(span);
    this.traceparent = context === null ? null : (quietly(() => writeTraceparent(context)) ?? null);
    this.ids =
      context === null || this.traceparent === null
        ? null
        : { trace_id: context.traceId, span_id: context.spanId };
  }

  /** Sets attributes: nothing secret, no amount, no id of a player or a round. */
  note(attributes: SpanAttributes): void {
    quietly(() => this.span?.setAttributes(attributes));
  }

  /** Its work failed, or has an unknown outcome. The first message counts. */
  fail(message: string): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    quietly(() => this.span?.setStatus({ code: errorStatus, message }));
  }

  end(): void {
    quietly(() => this.span?.end());
  }
}

/** Where there is no tracer, or it did not work. */
export const noSpan = new Span(null);

function contextOf(span: OpenTelemetrySpan | null): OpenTelemetrySpanContext | null {
  return quietly(() => span?.spanContext()) ?? null;
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

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
