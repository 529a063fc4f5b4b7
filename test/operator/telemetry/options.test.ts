import { describe, expect, test } from '@jest/globals';
import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { createLedgerStore, startSweeper } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createMetrics, type Metrics, type MetricsOptions } from '../../../lib/operator/telemetry';
import { StrictLedger } from '../ledger/strict-ledger';

const operators = [{ operatorId: 'acme', secrets: ['a-secret-of-many-bytes'] }];

describe('an option that is wrong is a TypeError that names it', () => {
  test.each([
    ['createMetrics: unknown option', { attentoin: true }],
    ['createMetrics: attention must be true or false', { attention: 'yes' }],
  ])('%s', (message, options) => {
    expect(() => createMetrics(options as MetricsOptions)).toThrow(TypeError);
    expect(() => createMetrics(options as MetricsOptions)).toThrow(message);
  });

  test.each([[null], [{}], [{ register: 'of prom-client' }], ['metrics']])(
    'metrics that createMetrics did not make: %j',
    (given) => {
      const metrics = given as unknown as Metrics;
      const store = createMemoryStore();
      const ledger = new StrictLedger({ real: 0n, bonus: 0n }, 'ann');
      const journal = createMemoryStore();
      const kept = createLedgerStore({ ledger, journal });
      const made = 'metrics must be made by createMetrics';
      for (const make of [
        () => createOperatorHandler({ store, operators, metrics }),
        () => createLedgerStore({ ledger, journal, metrics }),
        () => startSweeper({ store: kept, operatorIds: ['acme'], metrics }),
      ]) {
        expect(make).toThrow(TypeError);
        expect(make).toThrow(made);
      }
    },
  );
});

test('the metrics of a wallet that was closed are still read, without its calls in flight', async () => {
  const metrics = createMetrics();
  const handler = createOperatorHandler({ store: createMemoryStore(), operators, metrics });
  expect(await metrics.text()).toContain('rgs_wallet_calls_in_flight 0\n');
  await handler.close();
  metrics.close();
  const text = await metrics.text();
  expect(text).not.toContain('rgs_wallet_calls_in_flight');
  expect(text).toContain(
    'rgs_wallet_transactions_total{type="debit",outcome="processed",replay="false"} 0',
  );
  expect(text).toMatch(/^nodejs_eventloop_delay_seconds\{percentile="99"\} \d/m);
});
