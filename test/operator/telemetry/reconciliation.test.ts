import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createMetrics, type Metrics } from '../../../lib/operator/telemetry';
import { foundKinds, type SavedDay } from '../../../lib/operator/reconciliation/saved/day';
import type { FullStore } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { withParts } from '../../support/with-parts';
import { linesOf, sampleOf } from './sample-of';

const hourMs = 3_600_000;
const now = Date.parse('2026-11-24T03:00:00Z');
let clock: VirtualClock;
let metrics: Metrics;
let store: FullStore;

beforeEach(() => {
  clock = new VirtualClock(now);
  metrics = createMetrics({ clock });
  store = createMemoryStore();
});

afterEach(() => metrics.close());

function watch(watched: FullStore = store): void {
  metrics.recorder.watchWallet({ store: watched, operatorIds: ['acme'], inFlight: () => 0 });
}

async function save(day: string, found: Partial<SavedDay>, more: object = {}): Promise<void> {
  const endedAt = new Date(Date.parse(day) + 24 * hourMs).toISOString();
  const whole = { word: 'equal', reason: null, counting: 'UTC', endedAt, cells: [] } as const;
  const text = JSON.stringify({
    ...whole,
    kinds: {},
    rounds: [],
    leftOut: 0,
    currenciesLeftOut: 0,
    ...found,
  });
  const entry = { operatorId: 'acme', day, source: 'statistics', at: clock.now(), text } as const;
  await store.reconciliations.save({ ...entry, ...more });
}

async function silent(): Promise<never> {
  throw new Error('The store is silent.');
}

test('nothing is shown while no result is saved', async () => {
  watch();
  expect(await sampleOf(metrics, 'reconciliation_differences')).toBeUndefined();
  expect(await sampleOf(metrics, 'reconciliation_age_seconds')).toBeUndefined();
});

test('a day that is equal shows every kind at zero, and how long ago it ended', async () => {
  await save('2026-11-23', {});
  watch();
  for (const kind of [...foundKinds, 'other']) {
    const labels = { operator: 'acme', kind };
    expect([kind, await sampleOf(metrics, 'reconciliation_differences', labels)]).toEqual([
      kind,
      0,
    ]);
  }
  expect(await linesOf(metrics, 'reconciliation_age_seconds')).toEqual(['acme 10800']);
});

test('differences of the newest seven days are summed by kind, until a later run takes them back', async () => {
  await save('2026-11-15', { kinds: { 'sums differ': 100 } });
  for (const day of ['17', '18', '19', '20', '22']) await save(`2026-11-${day}`, {});
  await save('2026-11-21', { word: 'differs', kinds: { 'win differs': 2, 'own check': 1 } });
  await save('2026-11-23', { word: 'differs', kinds: { 'win differs': 3 } }, { source: 'export' });
  watch();
  expect(await linesOf(metrics, 'reconciliation_differences')).toEqual([
    'acme,win differs 5',
    'acme,own check 1',
  ]);
  await save('2026-11-21', {});
  await save('2026-11-23', {}, { source: 'export' });
  await clock.run(clock.pause(15_001));
  expect(await linesOf(metrics, 'reconciliation_differences')).toEqual([]);
});

test('days that are not complete let the age go on from the newest one that is', async () => {
  await save('2026-11-21', { word: 'differs' });
  await save('2026-11-22', { word: 'incomplete', endedAt: null });
  await save('2026-11-23', { word: 'unknown', endedAt: null });
  watch();
  expect(await sampleOf(metrics, 'reconciliation_age_seconds')).toBe((48 + 3) * 3600);
});

test('without any complete day the age is that of the oldest day that is watched, whenever it was saved', async () => {
  await save('2026-11-17', { word: 'incomplete', endedAt: null });
  await save('2026-11-23', { word: 'incomplete', endedAt: null });
  watch();
  expect(await sampleOf(metrics, 'reconciliation_age_seconds')).toBe((7 * 24 + 3) * 3600);
});

test('what another version saved is not dropped, and no text of it becomes a label', async () => {
  await save('2026-11-22', {}, { text: JSON.stringify({ word: 'fine' }) });
  await save('2026-11-23', { kinds: { 'a"new\nkind': 4 } as SavedDay['kinds'] });
  watch();
  expect(await linesOf(metrics, 'reconciliation_differences')).toEqual(['acme,other 5']);
});

test('a reading that fails is counted, and stops no other metric', async () => {
  watch(withParts(store, { reconciliations: { list: silent } }));
  expect(await metrics.text()).toContain('rgs_wallet_calls_in_flight 0');
  expect(await sampleOf(metrics, 'reconciliation_read_failures_total')).toBeGreaterThan(0);
});

test('a store of the platform that keeps none is no failed reading', async () => {
  watch({ ...store, reconciliations: undefined } as unknown as FullStore);
  expect(await metrics.text()).not.toContain('reconciliation_differences');
  expect(await sampleOf(metrics, 'reconciliation_read_failures_total')).toBe(0);
});
