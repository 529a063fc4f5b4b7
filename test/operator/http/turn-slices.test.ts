import { describe, expect, test } from '@jest/globals';
import { callsAtOnce, TurnSlices } from '../../../lib/operator/http/turn-slices';
import { nextTurn } from '../../../lib/platform/turn';
import { TestLoop } from '../../platform/test-loop';

/** Lets calls come; `begun` has the names of those that have begun, in order. */
function setUp() {
  const slices = new TurnSlices();
  const begun: string[] = [];
  const come = (name: string, count: number) => {
    for (let at = 0; at < count; at++) {
      const wait = slices.wait();
      if (wait === null) begun.push(name);
      else void wait.then(() => begun.push(name));
    }
  };
  const countOf = (name: string) => begun.filter((each) => each === name).length;
  return { slices, begun, come, countOf };
}

describe('of calls that arrive together', () => {
  test('so many begin at once, and in each turn of the loop as many (P12)', async () => {
    const { begun, come } = setUp();
    come('call', 2 * callsAtOnce + 1);
    const counts = [begun.length];
    for (let turn = 0; turn < 3; turn++) {
      await nextTurn();
      counts.push(begun.length);
    }
    const all = 2 * callsAtOnce + 1;
    expect(counts).toEqual([callsAtOnce, 2 * callsAtOnce, all, all]);
  });

  test('none is overtaken by a call that comes later (P12)', async () => {
    const { come, countOf } = setUp();
    come('early', 2 * callsAtOnce + 1);
    await nextTurn();
    come('late', 1);
    await nextTurn();
    expect([countOf('early'), countOf('late')]).toEqual([2 * callsAtOnce + 1, 0]);
    await nextTurn();
    expect(countOf('late')).toBe(1);
  });

  test('a single one of each turn never waits', async () => {
    const { begun, come } = setUp();
    for (let turn = 1; turn <= 3 * callsAtOnce; turn++) {
      come('call', 1);
      expect(begun).toHaveLength(turn);
      await nextTurn();
    }
  });
});

describe('a whole turn', () => {
  test('ends with the turn of the loop if no call waits', () => {
    const loop = new TestLoop();
    const { slices, come } = setUp();
    let ends = 0;
    come('call', callsAtOnce);
    slices.whole(loop).afterTurn(() => (ends += 1));
    expect(ends).toBe(0);
    loop.endTurn();
    expect(ends).toBe(1);
  });

  test('ends when the calls that wait have begun, though others came meanwhile (P12)', async () => {
    const loop = new TestLoop();
    const { slices, come, countOf } = setUp();
    const endedAfter: number[] = [];
    come('call', 3 * callsAtOnce);
    slices.whole(loop).afterTurn(() => endedAfter.push(countOf('call')));
    await nextTurn();
    loop.endTurn();
    for (let turn = 0; turn < 6; turn++) {
      await nextTurn();
      come('later', callsAtOnce);
    }
    expect(endedAfter).toEqual([3 * callsAtOnce]);
  });
});
