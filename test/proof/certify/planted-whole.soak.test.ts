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

/** A whole run in the profile of the plant's rule, of the right wallet without a name. Prints what it took. */
async function wholeRun(name: string | null, { level, durable, loaded }: Omit<Plant, 'wrong'>) {
  const profile = level === 'required' ? ('specification' as const) : ('full' as const);
  const isProcess = durable === true || loaded === true;
  const load = loaded === true ? { rate: 20, seconds: 20 } : null;
  const long = { seed: 1, histories: loaded === true ? 5 : 200, kills: 3, load };
  const plants = name === null ? [] : [name];
  const before = process.cpuUsage();
  const result = await (isProcess ? certifyPlantedProcess : certifyPlanted)(plants, {
    profile,
    long,
    timeLimitMs,
  });
  const { user, system } = process.cpuUsage(before);
  const times = [result.durationMs / 1000, (user + system) / 1e6].map((time) => time.toFixed(1));
  const of = `${name ?? 'the right wallet'}, ${profile}${isProcess ? ', over kills' : ''}`;
  process.stderr.write(`${of}: ${times.join(' s, of processor time ')} s\n`);
  return result;
}

describe('a whole run of two minutes at most', () => {
  test.each([
    ['the specification', { level: 'required' }],
    ['all cases', { level: 'advisory' }],
    ['the specification, over kills', { level: 'required', durable: true }],
    ['all cases, over kills', { level: 'advisory', durable: true }],
    ['all cases, under load', { level: 'advisory', loaded: true }],
  ] as const)('the right wallet passes %s', async (_, of) => {
    const { outcome, cases } = await wholeRun(null, { rule: '', ...of });
    const late = cases.filter(({ verdict }) => verdict === 'inconclusive');
    expect(late.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(outcome).toBe('passed');
  });

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
