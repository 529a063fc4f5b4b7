import { setImmediate as nextTurn } from 'node:timers/promises';

import { createSeededRandom, wholeBelow } from '../../../lib/platform/random';
import { testSeed } from '../../support/seed';

/** The most turns of the event loop that a method begins late, and again that it answers late. */
const maxTurns = 4;
const random = createSeededRandom(testSeed);

/**
 * The same object, whose methods begin and answer with random delays: whatever others do may come between.
 * All of them must return promises.
 */
export function withLateAnswers<T extends object>(target: T, methods: readonly (keyof T)[]): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      const method = member.bind(object) as (...given: unknown[]) => unknown;
      if (!methods.includes(name as keyof T)) return method;
      return async (...given: unknown[]) => {
        await someTurns();
        const answer = await method(...given);
        await someTurns();
        return answer;
      };
    },
  });
}

async function someTurns(): Promise<void> {
  for (let left = wholeBelow(random, maxTurns); left > 0; left--) await nextTurn();
}
