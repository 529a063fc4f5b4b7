import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { randomStory } from './random-story';
import { createRealWallet } from './real-wallet';
import { createReferencePlayer } from './reference-player';
import { type Step, writeStep } from './story';
import { outcomeOf } from './tell';
import { testSeed } from '../../support/seed';

// HISTORIES sets how many. A failure prints the seed and the path of the history, made as small
// as it could be: HISTORIES_SEED and HISTORIES_PATH play that one alone.
const { HISTORIES = '50', HISTORIES_SEED, HISTORIES_PATH } = process.env;
const runs = {
  numRuns: Number(HISTORIES),
  seed: Number(HISTORIES_SEED ?? testSeed),
  ...(HISTORIES_PATH === undefined ? {} : { path: HISTORIES_PATH }),
};
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
