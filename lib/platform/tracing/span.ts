import type { OpenTelemetrySpan, OpenTelemetrySpanContext, SpanAttributes } from './opentelemetry';
import { writeTraceparent } from './traceparent';

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
