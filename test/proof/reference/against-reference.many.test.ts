import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { randomStory } from './random-story';
import { createRealWallet } from './real-wallet';
import { createReferencePlayer } from './reference-player';
import { type Step, writeStep } from './story';
import { outcomeOf } from './tell';
import { randomHistories } from '../../support/runs';

const runs = randomHistories(50);
const longestPlayMs = 300_000;

/** Plays a story in both, up to the first step that comes to something else. */
async function compare(story: readonly Step[]): Promise<void> {
  const [real, reference] = [await createRealWallet(), createReferencePlayer()];
  const [came, expected]: [string[], string[]] = [[], []];
  for (const step of story) {
    came.push(`${writeStep(step)} -> ${await outcomeOf(real, step)}`);
    expected.push(`${writeStep(step)} -> ${await outcomeOf(reference, step)}`);
    expect(came).toEqual(expected);
  }
  expect(await real.balance('USD')).toBe(await reference.balance('USD'));
}

test(
  `answers, state and balance are those of the reference after each step of ${runs.numRuns} random stories`,
  () => fc.assert(fc.asyncProperty(randomStory(), compare), runs),
  longestPlayMs,
);
