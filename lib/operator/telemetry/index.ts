export { createMetrics, type Metrics, type MetricsOptions } from './create-metrics';
export type { BreakerState, MetricsRecorder, ObservedWallet } from './recorder';
export {
  bridgeToOpenTelemetry,
  type OpenTelemetryMeter,
  type OpenTelemetryObserver,
} from './opentelemetry';
export type {
  OpenTelemetryContext,
  OpenTelemetrySpan,
  OpenTelemetrySpanContext,
  OpenTelemetrySpanOptions,
  OpenTelemetryTracer,
  SpanParent,
  SpanAttributes,
} from '../../platform/tracing';
export type { Labels, MetricDescription, MetricFamily, MetricSample } from './registry';
