import type { Metrics } from './create-metrics';
import type { Labels, MetricDescription } from './registry';

/** What a callback reports to OpenTelemetry: `BatchObservableResult` of `@opentelemetry/api`. */
export interface OpenTelemetryObserver {
  observe(instrument: unknown, value: number, attributes: Labels): void;
}

/** The part of a `Meter` of `@opentelemetry/api` that the bridge needs; the package is not needed here. */
export interface OpenTelemetryMeter {
  createObservableCounter(name: string, options: { readonly description: string }): unknown;
  createObservableGauge(name: string, options: { readonly description: string }): unknown;
  addBatchObservableCallback(
    callback: (observer: OpenTelemetryObserver) => Promise<void>,
    instruments: unknown[],
  ): void;
  removeBatchObservableCallback(
    callback: (observer: OpenTelemetryObserver) => Promise<void>,
    instruments: unknown[],
  ): void;
}

/**
 * Gives every metric to OpenTelemetry, under its own name and labels, whenever a reader of the meter collects:
 * a call costs no more. A histogram is three counters, named with `_bucket` (attribute `le`), `_sum` and
 * `_count` at the end. The returned function stops the bridge.
 * @throws TypeError for anything but a meter.
 */
export function bridgeToOpenTelemetry(metrics: Metrics, meter: OpenTelemetryMeter): () => void {
  if (typeof meter?.addBatchObservableCallback !== 'function') {
    throw new TypeError('bridgeToOpenTelemetry: meter must be a Meter of @opentelemetry/api');
  }
  const instruments = new Map(
    metrics.descriptions.flatMap((description) => instrumentsOf(meter, description)),
  );
  const callback = async (observer: OpenTelemetryObserver): Promise<void> => {
    for (const { samples } of await metrics.read()) {
      for (const { name, value, labels } of samples) {
        observer.observe(instruments.get(name), value, labels);
      }
    }
  };
  const all = [...instruments.values()];
  meter.addBatchObservableCallback(callback, all);
  return () => meter.removeBatchObservableCallback(callback, all);
}

/** The instruments of a metric, by the names of its lines. */
function instrumentsOf(
  meter: OpenTelemetryMeter,
  { name, help, type }: MetricDescription,
): [string, unknown][] {
  const options = { description: help };
  if (type === 'gauge') return [[name, meter.createObservableGauge(name, options)]];
  const names =
    type === 'counter' ? [name] : ['_bucket', '_sum', '_count'].map((suffix) => name + suffix);
  return names.map((each) => [each, meter.createObservableCounter(each, options)]);
}
