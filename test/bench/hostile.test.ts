import { EventEmitter } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { FlagFault, readFlags } from '../../bench/attacks/flags';
import { playInputs } from '../../bench/attacks/play';
import { reportOf } from '../../bench/attacks/report';
import { plantedFaults } from './planted-faults';

test('of 20,000 hostile inputs none is wrongly accepted, and none ends in a throw, a 5xx or silence (D1, D2, O6)', async () => {
  const { faults, inputs, byKind, balances } = await playInputs({
    seed: 1,
    inputs: 20_000,
    only: null,
  });
  expect(faults).toEqual([]);
  expect({ inputs, balances }).toEqual({ inputs: 20_000, balances: 80 });
  for (const count of Object.values(byKind)) expect(count).toBeGreaterThan(500);
});

describe('the judge of hostile inputs finds a planted fault', () => {
  test.each(Object.entries(plantedFaults))('%s', async (_, { front, says }) => {
    const { faults } = await playInputs({ seed: 2, inputs: 2000, only: null, front });
    expect(faults.map(({ text }) => text)).toContainEqual(expect.stringMatching(says));
  });

  test.each(['unhandledRejection', 'uncaughtException'])('an error told as %s', async (event) => {
    // Jest listens to the process itself.
    const uncaught = new EventEmitter() as unknown as NodeJS.Process;
    const { faults } = await playInputs({
      seed: 2,
      inputs: 100,
      only: null,
      uncaught,
      front: (listener) => (request, response) => {
        uncaught.emit(event as 'uncaughtException', new Error('planted'));
        listener(request, response);
      },
    });
    expect(faults[0]).toMatchObject({ number: 0, text: 'unhandled: Error: planted' });
  });
});

test('a fault is reported with the command that replays its input, and the replay shows it again', async () => {
  const front = plantedFaults['an answer of 500']?.front;
  const seen: string[] = [];
  if (front === undefined) throw new Error('no fault');
  const first = await playInputs({ seed: 7, inputs: 500, only: null, front });
  const [fault] = first.faults;
  const number = fault?.number ?? -1;
  expect(reportOf(first, 7, 1)).toContain(`npm run hostile -- --seed 7 --only ${number}`);
  const onInput = (): void => void seen.push('seen');
  const again = await playInputs({ seed: 7, inputs: 1, only: number, onInput });
  expect(again).toMatchObject({ inputs: number + 1, faults: [] });
  expect(seen).toHaveLength(1);
});

async function statusesOf(seed: number) {
  return (await playInputs({ seed, inputs: 500, only: null })).byStatus;
}

test('the same seed makes the same inputs, and another seed others', async () => {
  const first = await statusesOf(3);
  expect(await statusesOf(3)).toEqual(first);
  expect(await statusesOf(4)).not.toEqual(first);
});

test('without flags, a hundred thousand inputs of seed 1 are played; --help asks for the help text', () => {
  expect(readFlags([])).toEqual({ seed: 1, inputs: 100_000, only: null, quiet: false });
  expect(readFlags(['--only', '0'])).toMatchObject({ only: 0 });
  expect(readFlags(['--help'])).toBeNull();
});

test.each([[['--inputs', '0']], [['--seed', 'x']], [['--only', '-1']], [['--sed', '1']]])(
  '%j is refused',
  (args) => {
    expect(() => readFlags(args)).toThrow(FlagFault);
  },
);
