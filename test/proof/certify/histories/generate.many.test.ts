import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { simplerThan } from '../../../../lib/proof/certify/cases/histories/command';
import {
  balanceOf,
  beginning,
  callOf,
  givingBack,
  type ReferenceState,
  stateAfter,
} from '../../../../lib/proof/certify/cases/histories/compose';
import { historyOf } from '../../../../lib/proof/certify/cases/histories/random-histories';
import { runs } from '../../../support/runs';

const [start, stake] = [1000n, 2n];
const seeds = fc.integer();

/** The states of a history on a wallet that processes what it may. */
function statesOf(commands: ReturnType<typeof historyOf>): ReferenceState[] {
  const states = [beginning(start, stake)];
  for (const command of commands) {
    const state = states.at(-1) as ReferenceState;
    const call = callOf(state, command);
    if (call === null) continue;
    const processed = call.moves.map(({ expected }) => expected !== 'refused');
    states.push(stateAfter(state, call, processed));
  }
  return states;
}

describe('random histories', () => {
  test('the same seed and number make the same history', () => {
    fc.assert(
      fc.property(seeds, fc.nat(500), (seed, number) => {
        expect(historyOf(seed, number)).toEqual(historyOf(seed, number));
      }),
      { numRuns: runs(50) },
    );
  });

  test('each step of a history is a call that the specification decides', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const commands = historyOf(seed, 1);
        expect(statesOf(commands)).toHaveLength(commands.length + 1);
      }),
      { numRuns: runs(100) },
    );
  });

  test('never more than six stakes are at risk, and the voids at the end give all of it back', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const states = statesOf(historyOf(seed, 1));
        const atRisk = states.map((state) => start - balanceOf(state));
        expect(atRisk.filter((amount) => amount > 6n * stake)).toEqual([]);
        let last = states.at(-1) as ReferenceState;
        for (const round of [0, 1] as const) {
          const call = givingBack(last, round);
          if (call !== null) last = stateAfter(last, call, [true]);
        }
        expect(balanceOf(last)).toBe(start);
      }),
      { numRuns: runs(200) },
    );
  });

  test('a step without those before it still makes sense or is skipped, and so does a simpler one', () => {
    fc.assert(
      fc.property(seeds, fc.nat(), (seed, bits) => {
        const some = historyOf(seed, 1).filter((_, at) => (bits >> at) % 2 === 0);
        const others = some.flatMap((one, at) =>
          simplerThan(one).map((simpler) => some.with(at, simpler)),
        );
        expect(() => [some, ...others].map(statesOf)).not.toThrow();
      }),
      { numRuns: runs(50) },
    );
  });
});
