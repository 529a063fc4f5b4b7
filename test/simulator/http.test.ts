import { describe, expect, test } from '@jest/globals';
import { generatePlan, playPlan, playSeries } from '.';

const http = { store: 'memory', wire: 'http' } as const;

describe('worlds with HTTP in them', () => {
  test('no forged request is accepted, nothing is thrown, and every book is right', async () => {
    const { failed, events } = await playSeries({ ...http, seed: 1, calls: 1200 });
    expect(failed?.played.violation ?? null).toBeNull();
    const attacks = [...events].filter(([kind]) => kind.startsWith('attack: '));
    expect(attacks).toHaveLength(14);
    expect(attacks.every(([, times]) => times > 0)).toBe(true);
    expect(events.get('replayed bytes')).toBeGreaterThan(0);
    expect(events.get('secret rotated')).toBeGreaterThan(0);
  });

  test('the same holds over the ledger store', async () => {
    const { failed } = await playSeries({ store: 'ledger', wire: 'http', seed: 1, calls: 300 });
    expect(failed?.played.violation ?? null).toBeNull();
  });

  test('the same seed gives the same trace, by both ways to let microtasks run', async () => {
    const plan = generatePlan({ ...http, seed: 3, calls: 120 });
    const first = await playPlan(plan);
    expect((await playPlan(plan)).hash).toBe(first.hash);
    expect((await playPlan(plan, { drain: 'turn' })).hash).toBe(first.hash);
  });

  test('the faults that were drawn, given as a list, give the same trace', async () => {
    const plan = generatePlan({ ...http, seed: 5, calls: 120 });
    const drawn = await playPlan(plan);
    expect((await playPlan(plan, { faults: drawn.list })).hash).toBe(drawn.hash);
  });
});
