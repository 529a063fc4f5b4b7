import { describe, expect, test } from '@jest/globals';
import { generatePlan, playPlan, playSeries, type StoreName, storeNames } from '.';

/** Calls that the fast tier plays; `npm run simulate` plays millions. */
const calls = { memory: 20_000, ledger: 2000 };

async function hashOf(seed: number, store: StoreName): Promise<string> {
  return (await playPlan(generatePlan({ seed, calls: 120, store }))).hash;
}

describe.each(storeNames)('worlds over %s', (store) => {
  test('every book is right, and no rule is broken, whatever is lost, repeated, late or dead', async () => {
    const { failed, events } = await playSeries({ seed: 1, calls: calls[store], store });
    expect(failed?.played.violation ?? null).toBeNull();
    expect(events.get('repair: approval made')).toBeGreaterThan(5);
    expect(events.get('events: a page')).toBeGreaterThan(5);
    expect(events.get('events: a page read and lost')).toBeGreaterThan(1);
    if (store === 'ledger') return;
    expect(events.get('limits: a debit refused')).toBeGreaterThan(50);
    expect(events.get('limits: a deposit refused')).toBeGreaterThan(5);
    expect(events.get('limits: a window has begun')).toBeGreaterThan(5);
  });

  test('the same seed gives the same trace, and another seed another', async () => {
    const hash = await hashOf(7, store);
    expect(await hashOf(7, store)).toBe(hash);
    expect(await hashOf(8, store)).not.toBe(hash);
  });

  test('both ways to let microtasks run give the same trace', async () => {
    const plan = generatePlan({ seed: 3, calls: 120, store });
    const [tick, turn] = [
      await playPlan(plan, { drain: 'tick' }),
      await playPlan(plan, { drain: 'turn' }),
    ];
    expect(turn.hash).toBe(tick.hash);
    expect(turn.calls).toBe(tick.calls);
  });

  test('the faults that were drawn, given as a list, give the same trace', async () => {
    const plan = generatePlan({ seed: 5, calls: 120, store });
    const drawn = await playPlan(plan);
    const listed = await playPlan(plan, { faults: drawn.list });
    expect(drawn.list.length).toBeGreaterThan(0);
    expect(listed.hash).toBe(drawn.hash);
  });
});
