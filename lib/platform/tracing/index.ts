export { withTraceIds } from './logger';
export type {
  OpenTelemetryContext,
  OpenTelemetrySpan,
  OpenTelemetrySpanContext,
  OpenTelemetrySpanOptions,
  OpenTelemetryTracer,
  SpanAttributes,
} from './opentelemetry';
export { spansOf } from './option';
export type { Span } from './span';
export { type SpanParent, type Spans } from './spans';
export { readTraceparent, traceparentHeader, writeTraceparent } from './traceparent';
