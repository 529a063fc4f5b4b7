import { describe, expect, test } from '@jest/globals';

import { generatePlan, hunt, plants, playPlan, readSeedFile, shrink, writeSeedFile } from '.';

/** Those that a few hundred calls show; the soak tier plays all of them. */
const quick = [
  'a commit does not compare the version',
  'a void gives nothing back',
  'a credit in doubt is answered 503',
  'the amount of a known hash is not compared',
  'a reversal does nothing',
];

function plantOf(name: string) {
  const plant = plants.find((one) => one.name === name);
  if (plant === undefined) throw new Error(`no planted bug: ${name}`);
  return plant;
}

describe('a planted bug', () => {
  test.each(quick)('is found: %s', async (name) => {
    expect(await hunt(plantOf(name), { seeds: [1, 2, 3, 4], calls: 300 })).not.toBeNull();
  });

  test('that moves money between the balances of a player, with every sum right, is found by their split alone', async () => {
    const plant = plantOf('a void gives all of it back to the real balance');
    const find = await hunt(plant, { seeds: [1, 2, 3, 4], calls: 300 });
    expect(find?.rule).toBe('the split of a balance');
  });

  test('is shown by a history of a few calls, which its seed file plays again', async () => {
    const { plant, store } = plantOf('a void that is there before its debit is forgotten');
    const plan = generatePlan({ seed: 1, calls: 300, store });
    const { violation, list: faults } = await playPlan(plan, { planted: plant() });
    expect(violation).not.toBeNull();
    if (violation === null) return;
    const short = await shrink({ plan, faults, violation }, { plant, maxPlays: 400 });
    expect(short.plan.rounds).toHaveLength(1);
    const file = readSeedFile(writeSeedFile(short));
    expect(file).toEqual({
      broke: { rule: violation.rule, text: short.violation.text },
      plan: short.plan,
      faults: short.faults,
    });
    const again = await playPlan(file.plan, { faults: file.faults, planted: plant() });
    expect(again.violation).toEqual(short.violation);
    expect((await playPlan(file.plan, { faults: file.faults })).violation).toBeNull();
  });
});

test.each([
  ['', 'it is not JSON'],
  ['null', 'plan.players is no list'],
  ['{"plan":{"players":[],"rounds":[],"acts":[],"incidents":[]}}', 'plan.seed is no number'],
])('a file that is no seed file is refused: %j', (text, reason) => {
  expect(() => readSeedFile(text)).toThrow(`no seed file: ${reason}`);
});
