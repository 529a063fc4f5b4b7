import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createMetrics, type Metrics } from '../../../lib/operator/telemetry';
import type { ConsumerLag } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { createMemoryLedger } from '../../../lib/proof';
import { withParts } from '../../support/with-parts';
import { linesOf, sampleOf } from './sample-of';

let clock: VirtualClock;
let metrics: Metrics;

beforeEach(() => {
  clock = new VirtualClock();
  metrics = createMetrics({ clock });
});

afterEach(() => metrics.close());

function watch(lags: () => readonly ConsumerLag[]): void {
  const store = withParts(createMemoryStore(), { events: { lag: async () => lags() } });
  metrics.recorder.watchWallet({ store, operatorIds: ['acme'], inFlight: () => 0 });
}

test('events that a consumer has not acknowledged are shown with the age of the oldest', async () => {
  const oldestAt = clock.now();
  await clock.run(clock.pause(60_000));
  watch(() => [
    { consumer: 'bridge', waiting: 7, oldestAt },
    { consumer: 'archive', waiting: 0, oldestAt: null },
  ]);
  expect(await linesOf(metrics, 'events_lag')).toEqual(['acme,bridge 7']);
  expect(await linesOf(metrics, 'events_oldest_seconds')).toEqual(['acme,bridge 60']);
  expect(await sampleOf(metrics, 'events_lag', { consumer: 'archive' })).toBe(0);
});

test('a reading that fails is counted, and stops no other metric', async () => {
  watch(() => {
    throw new Error('The store is silent.');
  });
  expect(await metrics.text()).toContain('rgs_wallet_calls_in_flight 0');
  expect(await sampleOf(metrics, 'events_read_failures_total')).toBeGreaterThan(0);
});

test('a ledger store without events in its journal is no failed reading, and hides no other store', async () => {
  const journal = { ...createMemoryStore(), events: undefined };
  const ledger = createLedgerStore({ ledger: createMemoryLedger(), journal });
  metrics.recorder.watchWallet({ store: ledger, operatorIds: ['other'], inFlight: () => 0 });
  watch(() => [{ consumer: 'bridge', waiting: 7, oldestAt: null }]);
  expect(await linesOf(metrics, 'events_lag')).toEqual(['acme,bridge 7']);
  expect(await sampleOf(metrics, 'events_read_failures_total')).toBe(0);
  await ledger.close();
});

test('a store that declares consumers shows each of them, without anything else to set', async () => {
  const store = createMemoryStore({ events: ['bridge'] });
  const operators = [{ operatorId: 'acme', secrets: ['a-secret-of-many-bytes'] }];
  const handler = createOperatorHandler({ store, operators, metrics });
  expect(await sampleOf(metrics, 'events_lag', { operator: 'acme', consumer: 'bridge' })).toBe(0);
  await handler.close();
});
