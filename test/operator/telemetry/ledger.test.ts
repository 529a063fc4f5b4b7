import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createLedgerStore, startSweeper } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createMetrics, type Metrics } from '../../../lib/operator/telemetry';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { createLedgerRig, credit, debit, type LedgerRig, operatorId } from '../ledger/ledger-rig';
import { StrictLedger } from '../ledger/strict-ledger';
import { linesOf, sampleOf } from './sample-of';

let clock: VirtualClock;
let metrics: Metrics;
let rig: LedgerRig;

beforeEach(() => {
  clock = new VirtualClock();
  metrics = createMetrics({ clock });
  rig = createLedgerRig({ clock, metrics, attempts: 1, breakAfter: 2, breakMs: 1000 });
});

afterEach(() => metrics.close());

const call = (...transactions: Parameters<LedgerRig['call']>) =>
  clock.run(rig.call(...transactions));

test('the circuit breaker is shown by state, and failed attempts are counted by method', async () => {
  expect(await linesOf(metrics, 'ledger_breaker')).toEqual(['closed 1']);
  await call(debit);
  rig.ledger.mood = 'fails';
  await call(credit);
  expect(await linesOf(metrics, 'ledger_breaker')).toEqual(['open 1']);
  expect(await sampleOf(metrics, 'ledger_failures_total', { method: 'credit' })).toBeGreaterThan(0);
  expect(await sampleOf(metrics, 'ledger_failures_total', { method: 'debit' })).toBe(0);
  rig.ledger.mood = 'answers';
  await clock.run(clock.pause(1000));
  await call(credit);
  expect(await linesOf(metrics, 'ledger_breaker')).toEqual(['closed 1']);
});

test('no breaker is shown without a ledger store, nor after it is closed; two are counted together', async () => {
  const other = createMetrics();
  expect(await sampleOf(other, 'ledger_breaker')).toBeUndefined();
  other.close();
  const ledger = new StrictLedger({ real: 0n, bonus: 0n }, 'ann');
  const second = createLedgerStore({ ledger, journal: createMemoryStore(), metrics });
  expect(await linesOf(metrics, 'ledger_breaker')).toEqual(['closed 2']);
  await second.close();
  await rig.store.close();
  expect(await sampleOf(metrics, 'ledger_breaker')).toBeUndefined();
});

test('what the sweeper finished, left and failed at is counted in rounds', async () => {
  await call(debit);
  rig.ledger.mood = 'fails';
  await call(credit);
  const options = { store: rig.store, operatorIds: [operatorId], clock, metrics };
  const sweeper = startSweeper({ ...options, intervalMs: 2 ** 31 - 1, graceMs: 0 });
  await clock.run(sweeper.sweep());
  expect(await linesOf(metrics, 'sweeper_rounds_total')).toEqual(['failed 1']);
  await clock.run(sweeper.sweep());
  expect(await sampleOf(metrics, 'sweeper_rounds_waiting')).toBe(1);
  rig.ledger.mood = 'answers';
  await clock.run(clock.pause(600_000));
  await clock.run(sweeper.sweep());
  expect(await linesOf(metrics, 'sweeper_rounds_total')).toEqual(['settled 1', 'failed 1']);
  expect(await sampleOf(metrics, 'sweeper_rounds_waiting')).toBe(0);
  await clock.run(sweeper.stop());
});
