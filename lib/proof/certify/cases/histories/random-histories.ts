import { createSeededRandom } from '../../../../platform/random';
import { casesIn } from '../../talk/case';
import { type CaseContext, CaseFailure, Undecided } from '../../talk';
import { type Command, simplerThan } from './command';
import { randomHistory } from './generate';
import { linesOf, type Played, playHistory } from './play';
import { shrink } from './shrink';

/** Most times that a failing history is played again to find a shorter one. */
const maxAttempts = 200;
/** No attempt to shorten begins in the last part of the run's time, in milliseconds. */
const reserveMs = 5000;
/** Histories between two remarks on how far the case is. */
const remarkEvery = 20;

/** Random histories against a small reference of a round and a player's money. */
export const histories = casesIn('histories', [
  {
    id: 'random-histories',
    rule: 'Operator API 3 and 4.1',
    given: 'a player with money',
    when: 'random histories of calls come: debits, credits, ends, voids and resends in two rounds',
    expected: 'after each call, answer and balance are what the specification says of that history',
    after: ['plain-round', 'plain-void', 'hashes-are-listed'],
    async play(context) {
      const { seed, histories: count } = context.settings;
      let calls = 0;
      for (let number = 1; number <= count; number += 1) {
        if (context.timeLeftMs() === 0) {
          throw new Undecided(
            `the time of the run was over after ${number - 1} of ${count} histories`,
          );
        }
        const played = await playHistory(context, historyOf(seed, number));
        if (played.wrong !== null) await fail(context, played, `seed ${seed}, history ${number}`);
        calls += played.calls.length;
        if (number % remarkEvery === 0) context.note(`${number} of ${count} histories`);
      }
      return `${count} histories with ${calls} calls (seed ${seed})`;
    },
  },
]);

/** A history by its seed and number, from 1. */
export function historyOf(seed: number, number: number): readonly Command[] {
  return randomHistory(
    createSeededRandom(Math.imul(seed, 0x01000193) ^ Math.imul(number, 0x9e3779b9)),
  );
}

/** @throws CaseFailure with the shortest history that shows a mistake. */
async function fail(context: CaseContext, found: Played, name: string): Promise<never> {
  let shortest = found;
  let attempts = 0;
  await shrink(found.steps, {
    simplerThan,
    mayGoOn: () => attempts < maxAttempts && context.timeLeftMs() > reserveMs,
    async fails(steps) {
      attempts += 1;
      if (attempts % remarkEvery === 0)
        context.note(`${name} fails: ${attempts} attempts to shorten it`);
      const played = await attempt(context, steps);
      if (played === null || played.wrong === null) return false;
      shortest = played;
      return true;
    },
  });
  const [first, second] = shortest.gameRounds;
  const has = (round: 0 | 1): boolean => shortest.calls.some(({ call }) => call.round === round);
  const details = [
    `${name}: ${found.steps.length} steps, shortened to ${shortest.steps.length} in ${attempts} attempts`,
    ...linesOf(shortest.calls),
    ...(has(0) ? [`round A is ${first}`] : []),
    ...(has(1) ? [`round B is ${second}`] : []),
  ];
  const exchange = shortest.last === null ? {} : { exchange: shortest.last.exchange };
  const { length } = shortest.calls;
  throw new CaseFailure(`${shortest.wrong} (${name}, call ${length})`, { details, ...exchange });
}

/** An attempt that cannot be played to its end says nothing; the failure that was found stays. */
async function attempt(context: CaseContext, steps: readonly Command[]): Promise<Played | null> {
  try {
    return await playHistory(context, steps);
  } catch (error) {
    if (error instanceof Undecided) return null;
    throw error;
  }
}
