import { afterAll, describe, expect, test } from '@jest/globals';
import { type Fault, type FaultKind, faultKinds } from '../../proof/faults/points';
import { seededRandom } from '../../platform/seeded-random';
import { breachesOf } from './fault-oracles';
import { FaultRun, type Scenario } from './fault-run';
import { longRound, scenarios } from './fault-scenarios';

/** How many runs with several faults, drawn by lot, each scenario gets; FAULTS=1000 for a night. */
const draws = Number(process.env['FAULTS'] ?? 40);
const maxFaults = 3;

const figures = { scenarios: 0, points: 0, runs: 0 };

afterAll(() => {
  const { scenarios: played, points, runs } = figures;
  process.stdout.write(`fault walk: ${played} scenarios, ${points} fault points, ${runs} runs\n`);
});

/** Plays with faults; resolves to the names of its points, and what does not hold. */
async function walk(
  scenario: Scenario,
  faults: readonly Fault[],
  crowd: number | null = null,
): Promise<{ readonly names: readonly string[]; readonly failure: string | null }> {
  figures.runs += 1;
  const run = new FaultRun(scenario, faults, crowd === null ? null : seededRandom(crowd));
  const play = async (): Promise<string[]> => {
    await run.play();
    return breachesOf(run);
  };
  const breaches = await run.clock.run(play()).catch((error: unknown) => [String(error)]);
  const names = run.points.names.slice(0, run.pointsPlayed);
  if (breaches.length === 0) return { names, failure: null };
  const where = faults.map(({ at, kind }) => `point ${at} (${names[at - 1]}): ${kind}`);
  if (crowd !== null) where.push(`crowd ${crowd}`);
  return { names, failure: `${scenario.name}; ${where.join('; ')}\n  ${breaches.join('\n  ')}` };
}

/** One fault in each run: every kind of them at every point. */
async function failuresOf(scenario: Scenario, kinds: readonly FaultKind[]): Promise<string[]> {
  const { names, failure } = await walk(scenario, []);
  const failures = [failure];
  figures.points += names.length;
  for (const at of names.keys()) {
    for (const kind of kinds) {
      failures.push((await walk(scenario, [{ at: at + 1, kind }])).failure);
    }
  }
  return failures.filter((found) => found !== null);
}

/** Several faults in a run: where and which is drawn, the later ones among what the earlier ones led to. */
async function drawnFailuresOf(scenario: Scenario, seed: number): Promise<string[]> {
  const random = seededRandom(seed);
  const upTo = (limit: number): number => 1 + Math.floor(random() * limit);
  const faults: Fault[] = [];
  while (faults.length < maxFaults) {
    const { names, failure } = await walk(scenario, faults);
    if (failure !== null) return [failure];
    const last = faults.at(-1)?.at ?? 0;
    if (names.length <= last) return [];
    const kind = faultKinds[upTo(faultKinds.length) - 1] as FaultKind;
    faults.push({ at: last + upTo(names.length - last), kind });
  }
  const { failure } = await walk(scenario, faults);
  return failure === null ? [] : [failure];
}

/** Several processes and sweepers at the round at once: first without a fault, then with one. */
async function crowdedFailuresOf(scenario: Scenario, seed: number): Promise<string[]> {
  const random = seededRandom(seed);
  const { names, failure } = await walk(scenario, [], seed);
  const kind = faultKinds[Math.floor(random() * faultKinds.length)] as FaultKind;
  const fault = { at: 1 + Math.floor(random() * names.length), kind };
  const failures = [failure, (await walk(scenario, [fault], seed)).failure];
  return failures.filter((found) => found !== null);
}

describe('whatever goes wrong at whichever point, the oracles O1 to O9 hold in the end', () => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'of %s',
    async (_, scenario) => {
      figures.scenarios += 1;
      expect(await failuresOf(scenario, faultKinds)).toEqual([]);
    },
  );

  test('of a round with a void that takes several attempts', async () => {
    figures.scenarios += 1;
    expect(await failuresOf(longRound, ['error after it was done'])).toEqual([]);
  });
});

describe('with several faults in a run the oracles O1 to O9 hold in the end', () => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'of %s',
    async (_, scenario) => {
      const failures: string[] = [];
      for (let seed = 1; seed <= draws; seed++) {
        failures.push(...(await drawnFailuresOf(scenario, seed)));
      }
      expect(failures).toEqual([]);
    },
  );
});

describe('with several processes and sweepers at the same round the oracles O1 to O9 hold in the end', () => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'of %s',
    async (_, scenario) => {
      const failures: string[] = [];
      for (let seed = 1; seed <= draws; seed++) {
        failures.push(...(await crowdedFailuresOf(scenario, seed)));
      }
      expect(failures).toEqual([]);
    },
  );
});
