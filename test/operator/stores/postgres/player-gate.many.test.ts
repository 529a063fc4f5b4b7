import { beforeEach, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { runs } from '../../../support/runs';

import {
  maxOfOnePlayer,
  PlayerGate,
} from '../../../../lib/operator/stores/postgres/connections/player-gate';
import { VirtualClock } from '../../../../lib/platform/virtual-clock';

let clock: VirtualClock;

beforeEach(() => {
  clock = new VirtualClock();
});

const endless = (): Promise<void> => new Promise(() => {});

const step = fc.record({
  playerId: fc.constantFrom('a', 'b', 'c'),
  startsAt: fc.nat(30),
  takesMs: fc.nat(20),
  withinMs: fc.integer({ min: 1, max: 40 }),
  fails: fc.boolean(),
});

test('no player has more statements in flight than allowed, none overtakes another, and every place is released', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
    const gate = new PlayerGate(clock);
    const inWork = new Map<string, number>();
    const asked: string[] = [];
    const entered: string[] = [];
    const outcomes = steps.map(async ({ playerId, startsAt, takesMs, withinMs, fails }, at) => {
      await clock.pause(1 + startsAt);
      asked.push(`${playerId}${at}`);
      const startedAt = clock.monotonicMs();
      const work = async (): Promise<void> => {
        entered.push(`${playerId}${at}`);
        expect(clock.monotonicMs() - startedAt).toBeLessThanOrEqual(withinMs);
        inWork.set(playerId, (inWork.get(playerId) ?? 0) + 1);
        expect(inWork.get(playerId)).toBeLessThanOrEqual(maxOfOnePlayer);
        await clock.pause(takesMs);
        inWork.set(playerId, (inWork.get(playerId) ?? 0) - 1);
        if (fails) throw new Error('the work failed');
      };
      return gate.pass({ operatorId: 'op', playerId }, withinMs, work).then(
        () => 'done',
        ({ name, message }: Error) => (name === 'NotSentError' ? 'late' : message),
      );
    });
    const told = await clock.run(Promise.all(outcomes));
    for (const [at, outcome] of told.entries()) {
      const hasEntered = entered.includes(`${steps[at]?.playerId}${at}`);
      const done = steps[at]?.fails ? 'the work failed' : 'done';
      expect(outcome).toBe(hasEntered ? done : 'late');
    }
    for (const player of ['a', 'b', 'c']) {
      const ofPlayer = (names: string[]) => names.filter((name) => name.startsWith(player));
      const inOrder = ofPlayer(asked).filter((name) => entered.includes(name));
      expect(ofPlayer(entered)).toEqual(inOrder);
    }
    expect(gate.size).toBe(0);
  });
  await fc.assert(property, { numRuns: runs(200) });
});

test('one player waits for no other, and names that run together are two players', async () => {
  const gate = new PlayerGate(clock);
  for (let times = 0; times < maxOfOnePlayer; times++) {
    void gate.pass({ operatorId: 'op', playerId: 'player' }, 1000, endless);
  }
  const other = { operatorId: 'opp', playerId: 'layer' };
  expect(await gate.pass(other, 1000, async () => 'in')).toBe('in');
});
