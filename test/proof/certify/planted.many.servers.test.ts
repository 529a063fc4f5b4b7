import { describe, expect, test } from '@jest/globals';

import type {
  CaseResult,
  CertificationOptions,
  CertificationResult,
} from '../../../lib/proof/certify';
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

const load = { rate: 20, seconds: 20 };

function certifyFor(
  plant: string,
  run: Partial<CertificationOptions>,
): Promise<CertificationResult> {
  const { durable, loaded } = PLANTS[plant] ?? {};
  const long = loaded === true ? { long: { seed: 1, histories: 5, kills: 1, load } } : {};
  return durable === true || loaded === true
    ? certifyPlantedProcess([plant], { ...long, ...run })
    : certifyPlanted([plant], run);
}

/** What a plant of a level must come to, by the case that catches it. */
async function expectCaught(
  plant: string,
  id: string,
  run: Partial<CertificationOptions>,
): Promise<void> {
  const level = PLANTS[plant]?.level;
  const { outcome, cases } = await certifyFor(plant, run);
  expect(cases.find((one) => one.id === id)).toMatchObject({ verdict: 'failed', level });
  const isRequired = level === 'required';
  const failed = cases.filter((one) => one.level === 'required' && one.verdict === 'failed');
  expect(failed.map(({ id: name }) => name)).toEqual(isRequired ? expect.anything() : []);
  expect(outcome).toBe(isRequired ? 'failed' : 'passed');
}

describe('the right wallet, which shares no code with the library', () => {
  test('passes every case, over kills too', async () => {
    const { outcome, cases, money } = await certifyPlantedProcess([]);
    expect(notPassed(cases.filter(({ group }) => group !== 'load'))).toEqual([]);
    expect(outcome).toBe('passed');
    expect(money.map(({ end, start }) => (end ?? 0n) - start)).toEqual([0n, 0n]);
  });
});

describe('a wallet that breaks the specification', () => {
  test.each(plantsOf('required'))('%s fails %s: %s', async (plant, id) => {
    await expectCaught(plant, id, { only: [id] });
  });
});

describe('a wallet that reads a gap of the specification in another way', () => {
  test.each(firstOf(plantsOf('advisory'), 8))(
    '%s fails %s, which does not fail the run: %s',
    async (plant, id) => {
      await expectCaught(plant, id, { only: [id] });
    },
  );
});

test('each plant but the legal ones has the case that catches it', () => {
  const wrong = Object.keys(PLANTS).filter((name) => PLANTS[name]?.level !== 'legal');
  expect(Object.keys(caughtBy).toSorted()).toEqual(wrong.toSorted());
});
