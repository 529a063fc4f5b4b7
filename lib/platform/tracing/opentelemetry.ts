/** What names a span in every process: `SpanContext` of `@opentelemetry/api`. */
export interface OpenTelemetrySpanContext {
  /** 32 hexadecimal digits, in lower case; all zero if there is no trace. */
  readonly traceId: string;
  /** 16 hexadecimal digits, in lower case. */
  readonly spanId: string;
  /** 1 if the span is sampled. */
  readonly traceFlags: number;
}

/** Attributes of a span. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The part of a `Span` of `@opentelemetry/api` that the kit uses. */
export interface OpenTelemetrySpan {
  spanContext(): OpenTelemetrySpanContext;
  setAttributes(attributes: SpanAttributes): unknown;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  end(): void;
}

/** A `Context` of `@opentelemetry/api`: values by their keys, never changed. */
export interface OpenTelemetryContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): OpenTelemetryContext;
  deleteValue(key: symbol): OpenTelemetryContext;
}

/** Options of a new span. */
export interface OpenTelemetrySpanOptions {
  /** A `SpanKind`: 0 internal, 1 server, 2 client. */
  readonly kind: number;
  readonly attributes: SpanAttributes;
}

/** The part of a `Tracer` of `@opentelemetry/api` that the kit needs; the package is not needed here. */
export interface OpenTelemetryTracer {
  /** The span is below the active one. */
  startActiveSpan(
    name: string,
    options: OpenTelemetrySpanOptions,
    work: (span: OpenTelemetrySpan) => unknown,
  ): unknown;
  /** The span is below that of the context. */
  startActiveSpan(
    name: string,
    options: OpenTelemetrySpanOptions,
    context: OpenTelemetryContext,
    work: (span: OpenTelemetrySpan) => unknown,
  ): unknown;
}
