import { describe, expect, test } from '@jest/globals';

import { caughtBy } from './caught-by';
import { certifyPlanted, certifyPlantedProcess } from './planted';
import { type Plant, PLANTS } from './wallets/plants.cjs';

/** Within this time a whole run catches each plant. */
const timeLimitMs = 120_000;

function plantsOf(level: Plant['level']): (readonly [string, string, Plant])[] {
  return Object.entries(PLANTS)
    .filter(([, plant]) => plant.level === level)
    .map(([name, plant]) => [name, caughtBy[name] ?? '', plant] as const);
}

/** A whole run in the profile of the plant's rule. */
function wholeRun(name: string, { level, durable, loaded }: Plant) {
  const profile = level === 'required' ? ('specification' as const) : ('full' as const);
  const isProcess = durable === true || loaded === true;
  const load = loaded === true ? { rate: 20, seconds: 10 } : null;
  const long = { seed: 1, histories: loaded === true ? 5 : 200, kills: 3, load };
  return (isProcess ? certifyPlantedProcess : certifyPlanted)([name], {
    profile,
    long,
    timeLimitMs,
  });
}

describe('a whole run of two minutes at most', () => {
  test.each(plantsOf('required'))('%s: %s fails', async (name, id, plant) => {
    const { outcome, cases } = await wholeRun(name, plant);
    const basics = cases.filter((one) => one.group === 'basics' && one.verdict === 'failed');
    // A wallet without the basics is not tried further.
    const caught = basics.length > 0 ? basics : cases.filter((one) => one.id === id);
    expect(caught[0]).toMatchObject({ verdict: 'failed', level: 'required' });
    expect(outcome).toBe('failed');
  });

  test.each(plantsOf('advisory'))('%s: %s alone differs', async (name, id, plant) => {
    const { outcome, cases } = await wholeRun(name, plant);
    expect(cases.find((one) => one.id === id)).toMatchObject({ verdict: 'failed' });
    const required = cases.filter((one) => one.level === 'required' && one.verdict === 'failed');
    expect(required.map((one) => `${one.id}: ${one.message}`)).toEqual([]);
    expect(outcome).toBe('passed');
  });
});
