import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createMetrics, type Metrics } from '../../../lib/operator/telemetry';
import type { AttentionEntry, WalletStore } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { linesOf, sampleOf } from './sample-of';

/** A store that lists what it was given, and counts the readings. */
class ListingStore {
  reads = 0;
  fault: 'throws' | 'hangs' | null = null;
  entries: Partial<AttentionEntry>[] = [];

  readonly lists = { attention: (operatorId: string) => this.attention(operatorId) };

  private async *attention(operatorId: string): AsyncGenerator<AttentionEntry> {
    this.reads += 1;
    if (this.fault === 'throws') throw new Error('The store is silent.');
    if (this.fault === 'hangs') await new Promise(() => {});
    for (const entry of this.entries) {
      yield { operatorId, playerId: 'ann', gameRound: 'r', ...entry } as AttentionEntry;
    }
  }
}

let clock: VirtualClock;
let metrics: Metrics;
let store: ListingStore;

beforeEach(() => {
  clock = new VirtualClock();
  metrics = createMetrics({ clock });
  store = new ListingStore();
});

afterEach(() => metrics.close());

function watch(operatorIds: readonly string[], listed: object = store): () => void {
  return metrics.recorder.watchWallet({
    store: listed as WalletStore,
    operatorIds,
    inFlight: () => 0,
  });
}

const name = 'rounds_attention';

describe('rounds in attention', () => {
  test('are zero by operator and state where nothing waits', async () => {
    watch(['acme']);
    const families = await metrics.read();
    const samples = families.find((family) => family.name === `rgs_wallet_${name}`)?.samples;
    expect(
      samples?.map(({ labels, value }) => `${labels['operator']} ${labels['state']} ${value}`),
    ).toEqual(['acme cancelled 0', 'acme stranded 0', 'acme crashed 0']);
  });

  test('of two wallets over one store are counted once, of two stores together', async () => {
    store.entries = [{ state: 'stranded' }, { state: 'stranded' }, { state: 'crashed' }];
    watch(['acme', 'zeta']);
    const unwatch = watch(['acme']);
    expect(await linesOf(metrics, name)).toEqual([
      'acme,stranded 2',
      'acme,crashed 1',
      'zeta,stranded 2',
      'zeta,crashed 1',
    ]);
    expect(store.reads).toBe(2);
    unwatch();
    const other = new ListingStore();
    other.entries = [{ state: 'crashed' }];
    watch(['acme'], other);
    await clock.run(clock.pause(15_000));
    expect(await sampleOf(metrics, name, { operator: 'acme', state: 'crashed' })).toBe(2);
  });

  test('have the age of the oldest by state, which grows between two readings; none if the store does not say', async () => {
    const since = clock.now();
    await clock.run(clock.pause(60_000));
    store.entries = [
      { state: 'stranded', stateSince: since + 5000 },
      { state: 'stranded', stateSince: since },
      { state: 'cancelled' },
    ];
    watch(['acme']);
    const oldest = 'attention_oldest_seconds';
    const ageOf = (state: string) => sampleOf(metrics, oldest, { operator: 'acme', state });
    expect([await ageOf('stranded'), await ageOf('crashed')]).toEqual([60, 0]);
    expect(await ageOf('cancelled')).toBeUndefined();
    await clock.run(clock.pause(10_000));
    expect([await ageOf('stranded'), store.reads]).toEqual([70, 1]);
  });

  test('are read once in 15 seconds, however many ask', async () => {
    watch(['acme']);
    await Promise.all([metrics.text(), metrics.text(), metrics.read()]);
    await clock.run(clock.pause(14_999));
    await metrics.text();
    expect(store.reads).toBe(1);
    await clock.run(clock.pause(1));
    await metrics.text();
    expect(store.reads).toBe(2);
  });

  test('keep their last figures for five minutes while reading fails, and the failures are counted', async () => {
    store.entries = [{ state: 'stranded' }];
    watch(['acme']);
    await metrics.text();
    store.fault = 'throws';
    await clock.run(clock.pause(299_000));
    expect(await linesOf(metrics, name)).toEqual(['acme,stranded 1']);
    await clock.run(clock.pause(2000));
    expect(await sampleOf(metrics, name)).toBeUndefined();
    expect(await sampleOf(metrics, 'attention_read_failures_total')).toBe(2);
  });

  test('do not keep the other metrics waiting for more than two seconds', async () => {
    watch(['acme']);
    store.fault = 'hangs';
    const before = clock.monotonicMs();
    expect(await clock.run(metrics.text())).toContain('rgs_wallet_calls_in_flight 0');
    expect(clock.monotonicMs() - before).toBe(2000);
    expect(await sampleOfLate()).toBeUndefined();
  });

  test('are not read where `attention` is false, nor from a store that has no such list', async () => {
    watch(['acme'], { load: () => {} });
    expect(await sampleOf(metrics, name)).toBeUndefined();
    const without = createMetrics({ attention: false, clock });
    without.recorder.watchWallet({
      store: store as unknown as WalletStore,
      operatorIds: ['acme'],
      inFlight: () => 0,
    });
    expect(await without.text()).not.toContain('attention');
    expect(store.reads).toBe(0);
    without.close();
  });
});

const sampleOfLate = () => clock.run(sampleOf(metrics, name));
