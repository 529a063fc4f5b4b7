export { withTraceIds, spansOf, type SpanParent, type Spans } from './spans';
export type {
  OpenTelemetryContext,
  OpenTelemetrySpan,
  OpenTelemetrySpanContext,
  OpenTelemetrySpanOptions,
  OpenTelemetryTracer,
  SpanAttributes,
} from './opentelemetry';
export { type Span, readTraceparent, traceparentHeader, writeTraceparent } from './span';
