import { describe, expect, test } from '@jest/globals';

import type { CaseResult } from '../../../lib/proof/certify';
import { firstOf } from '../../support/runs';
import { caughtBy } from './caught-by';
import { certifyPlanted, certifyPlantedProcess } from './planted';
import { PLANTS } from './wallets/plants.cjs';

/** A table of one kind of plants, a line each. */
function plantsOf(level: string): (readonly [string, string, string])[] {
  return Object.entries(PLANTS)
    .filter(([, plant]) => plant.level === level)
    .map(([name, { wrong }]) => [name, caughtBy[name] ?? '', wrong] as const);
}

function notPassed(cases: readonly CaseResult[]): string[] {
  return cases
    .filter(({ verdict }) => verdict !== 'passed')
    .map(({ id, verdict, message }) => `${id} ${verdict}: ${message}`);
}

function certifyFor(plant: string) {
  return PLANTS[plant]?.durable === true ? certifyPlantedProcess : certifyPlanted;
}

describe('the right wallet, which shares no code with the library', () => {
  test('passes every case, over kills too', async () => {
    const { outcome, cases, money } = await certifyPlantedProcess([]);
    expect(notPassed(cases)).toEqual([]);
    expect(outcome).toBe('passed');
    expect(money.map(({ end, start }) => (end ?? 0n) - start)).toEqual([0n, 0n]);
  });

  test.each(firstOf(plantsOf('legal'), 1))('passes with %s%s: %s', async (plant) => {
    const { outcome, cases } = await certifyPlanted([plant]);
    expect(cases.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)).toEqual([]);
    expect(outcome).toBe('passed');
  });
});

describe('a wallet that breaks the specification', () => {
  test.each(plantsOf('required'))('%s fails %s: %s', async (plant, id) => {
    const { outcome, cases } = await certifyFor(plant)([plant], { only: [id] });
    expect(cases.find((one) => one.id === id)).toMatchObject({
      verdict: 'failed',
      level: 'required',
    });
    expect(outcome).toBe('failed');
  });
});

describe('a wallet that reads a gap of the specification in another way', () => {
  test.each(firstOf(plantsOf('advisory'), 8))(
    '%s fails %s, which does not fail the run: %s',
    async (plant, id) => {
      const { outcome, cases } = await certifyFor(plant)([plant], { only: [id] });
      expect(cases.find((one) => one.id === id)).toMatchObject({
        verdict: 'failed',
        level: 'advisory',
      });
      expect(outcome).toBe('passed');
    },
  );
});

test('each plant but the legal ones has the case that catches it', () => {
  const wrong = Object.keys(PLANTS).filter((name) => PLANTS[name]?.level !== 'legal');
  expect(Object.keys(caughtBy).toSorted()).toEqual(wrong.toSorted());
});
