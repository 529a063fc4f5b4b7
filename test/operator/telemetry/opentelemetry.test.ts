import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  bridgeToOpenTelemetry,
  createMetrics,
  type Metrics,
  type OpenTelemetryMeter,
} from '../../../lib/operator/telemetry';
import { createRig, debit, type Rig } from '../http/rig';

let exporter: InMemoryMetricExporter;
let provider: MeterProvider;
let metrics: Metrics;
let rig: Rig;
let end: () => void;

beforeEach(async () => {
  exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  provider = new MeterProvider({ readers: [reader] });
  metrics = createMetrics();
  rig = await createRig({ metrics });
  end = bridgeToOpenTelemetry(metrics, provider.getMeter('wallet'));
});

afterEach(async () => {
  await rig.close();
  await provider.shutdown();
  metrics.close();
});

/** What OpenTelemetry collects now: each point that is not zero, as `name label,label value`. */
async function collected(): Promise<string[]> {
  exporter.reset();
  await provider.forceFlush();
  return exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap((scope) => scope.metrics)
    .flatMap(({ descriptor, dataPoints }) =>
      dataPoints
        .filter(({ value }) => value !== 0)
        .map(({ attributes, value }) => {
          return `${descriptor.name} ${Object.values(attributes).join()} ${JSON.stringify(value)}`;
        }),
    );
}

test('the SDK of OpenTelemetry collects every metric under its name, with its labels', async () => {
  await rig.call([debit()]);
  const points = await collected();
  expect(points).toContain('rgs_wallet_transactions_total debit,processed,false 1');
  expect(points).toContain('rgs_wallet_call_duration_seconds_count doTransactions,processed 1');
  expect(points).toContain(
    'rgs_wallet_call_duration_seconds_bucket doTransactions,processed,+Inf 1',
  );
  await rig.call([debit(10, { hash: 'd2', isFirstDebit: false })]);
  expect(await collected()).toContain('rgs_wallet_transactions_total debit,processed,false 2');
});

test('nothing is collected after the end of the bridge', async () => {
  await rig.call([debit()]);
  end();
  expect(await collected()).toEqual([]);
});

test('anything but a meter is a TypeError', () => {
  const meter = {} as OpenTelemetryMeter;
  expect(() => bridgeToOpenTelemetry(metrics, meter)).toThrow(TypeError);
});
