import { describe, expect, test } from '@jest/globals';
import { callsAtOnce, TurnSlices } from '../../../lib/operator/http/turn-slices';
import { nextTurn } from '../../../lib/platform/turn';
import { TestLoop } from '../../platform/test-loop';
import { VirtualClock } from '../../support/virtual-clock';

/**
 * Lets calls come, each of an operator; `begun` has the names of those that have begun, in order. Each goes to the store as soon as it
 * begins, unless it is refused; `answer` has the store answer the oldest, of one operator if it is named.
 */
function setUp(operatorIds: readonly string[] = ['one']) {
  const clock = new VirtualClock();
  const renewed: string[] = [];
  const slices = new TurnSlices(operatorIds, clock, (id) => renewed.push(id));
  const begun: string[] = [];
  const atStore: (readonly [operatorId: string, leave: (isAnswered: boolean) => void])[] = [];
  const come = (name: string, count: number, operatorId = 'one', isRefused = false) => {
    const begin = () => {
      begun.push(name);
      if (!isRefused) atStore.push([operatorId, slices.enter(operatorId)]);
    };
    for (let at = 0; at < count; at++) {
      const wait = slices.wait(operatorId);
      if (wait === null) begin();
      else void wait.begins.then(begin);
    }
  };
  const answer = (count: number, name?: string, isAnswered = true) => {
    const asked = atStore.filter(([operatorId]) => name === undefined || operatorId === name);
    for (const call of asked.slice(0, count)) {
      atStore.splice(atStore.indexOf(call), 1);
      call[1](isAnswered);
    }
  };
  const countOf = (name: string) => begun.filter((each) => each === name).length;
  return { slices, clock, renewed, begun, come, answer, countOf };
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
    const { begun, come } = setUp();
    const early = 2 * callsAtOnce + 1;
    come('early', early);
    await nextTurn();
    come('late', 1);
    for (let turn = 0; turn < 2; turn++) await nextTurn();
    expect([begun.length, begun.indexOf('late')]).toEqual([early + 1, early]);
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

/** The calls of one operator take 6 ms each, and 100 of them wait; the store answers. */
async function beside(operatorIds = ['long', 'short']) {
  const parts = setUp(operatorIds);
  const { slices, come, answer } = parts;
  for (let at = 0; at < 100; at++) slices.took('long', 6);
  for (let at = 0; at < 100; at++) slices.took('short', 0.1);
  come('first', 1, 'long');
  answer(1);
  come('long', 100, 'long');
  await nextTurn();
  return parts;
}

describe('beside an operator with long calls (P12)', () => {
  test('a call of another operator begins in the next turn of the loop, before all that wait', async () => {
    const { come, countOf } = await beside();
    const before = countOf('long');
    come('short', 1, 'short');
    await nextTurn();
    expect(countOf('short')).toBe(1);
    expect(countOf('long') - before).toBeLessThanOrEqual(2);
  });

  test('many calls of the other begin while one of the long ones does', async () => {
    const { come, answer, countOf } = await beside();
    const before = countOf('long');
    come('short', 40, 'short');
    for (let turn = 0; turn < 3; turn++) {
      await nextTurn();
      answer(100);
    }
    expect(countOf('short')).toBe(40);
    expect(countOf('long') - before).toBeLessThanOrEqual(4);
  });

  test('only so many of the long ones are at the store that another does not wait for more than 10 ms of them', async () => {
    const { countOf, answer } = await beside();
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(countOf('long')).toBe(2);
    answer(1);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(countOf('long')).toBe(3);
  });

  test.each([
    [0.1, 256],
    [0.24, 256],
    [0.51, 62],
    [0.9, 20],
    [1.1, 14],
    [2.1, 5],
    [9, 2],
    [11, 1],
  ])(
    'of calls that take %d ms here %d are at the store, however long it takes for each',
    async (...row) => {
      const [ms, count] = row;
      const { slices, come, countOf } = await beside();
      for (let at = 0; at < 200; at++) slices.took('short', ms);
      come('short', 1000, 'short');
      for (let turn = 0; turn < 300; turn++) await nextTurn();
      expect(countOf('short')).toBe(count);
    },
  );

  test('all begin if the store answers nothing for 100 ms, and so end with their deadline', async () => {
    const { clock, countOf } = await beside();
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    await clock.pass(99);
    await nextTurn();
    expect(countOf('long')).toBe(2);
    await clock.pass(1);
    for (let turn = 0; turn < 60; turn++) await nextTurn();
    expect(countOf('long')).toBe(100);
  });

  test('an operator alone is not held', async () => {
    const { countOf } = await beside(['long']);
    for (let turn = 0; turn < 60; turn++) await nextTurn();
    expect(countOf('long')).toBe(100);
  });

  test('the first that come after a rest are held too: a store that is not asked is not silent', async () => {
    const { clock, come, answer, countOf } = await beside();
    for (let turn = 0; turn < 60; turn++, answer(100)) await nextTurn();
    expect(countOf('long')).toBe(100);
    await clock.pass(1000);
    come('long', 100, 'long');
    for (let turn = 0; turn < 60; turn++) await nextTurn();
    expect(countOf('long')).toBe(102);
  });

  test('calls that end with their deadline are no answer of the store: all begin still', async () => {
    const { clock, answer, countOf } = await beside();
    await nextTurn();
    await clock.pass(99);
    answer(1, 'long', false);
    await clock.pass(1);
    for (let turn = 0; turn < 60; turn++) await nextTurn();
    expect(countOf('long')).toBe(100);
  });

  test('a call that the store has had for 200 ms holds nobody, though the store answers others', async () => {
    const { clock, come, answer, countOf } = await beside();
    for (let step = 0; step < 5; step++) {
      await nextTurn();
      come('short', 1, 'short');
      await nextTurn();
      await clock.pass(50);
      answer(1, 'short');
    }
    await nextTurn();
    expect(countOf('long')).toBe(4);
  });

  test('a call that the store answers after 100 ms lets the next begin', async () => {
    const { clock, come, answer, countOf } = await beside();
    for (let step = 0; step < 2; step++) {
      await nextTurn();
      come('short', 1, 'short');
      await nextTurn();
      await clock.pass(50);
      answer(1, 'short');
    }
    await nextTurn();
    expect(countOf('long')).toBe(2);
    answer(1, 'long');
    await nextTurn();
    expect(countOf('long')).toBe(3);
  });

  test('short forged calls do not let more of the long ones begin', async () => {
    const { slices, answer, countOf } = await beside();
    for (let at = 0; at < 100; at++) slices.tookUnverified('long', 0);
    answer(100);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(countOf('long')).toBe(4);
  });

  test('long forged calls, which never get there, take no place at the store', async () => {
    const { slices, come, countOf } = await beside();
    for (let at = 0; at < 100; at++) slices.tookUnverified('short', 6);
    come('short', 1000, 'short');
    for (let turn = 0; turn < 1000; turn++) await nextTurn();
    expect(countOf('short')).toBe(256);
  });

  test('calls that are refused do not wait for a store that nobody asks', async () => {
    const { come, answer, countOf } = await beside();
    for (let turn = 0; turn < 60; turn++, answer(100)) await nextTurn();
    come('refused', 40, 'long', true);
    for (let turn = 0; turn < 40; turn++) await nextTurn();
    expect(countOf('refused')).toBe(40);
  });

  test('who waited for itself at the store does not go before the others later', async () => {
    const { come, answer, countOf } = await beside();
    for (let turn = 0; turn < 300; turn++, answer(100, 'short')) {
      come('early', callsAtOnce, 'short');
      await nextTurn();
    }
    for (let turn = 0; turn < 10; turn++, answer(100, 'short')) await nextTurn();
    come('short', 40, 'short');
    for (let turn = 0; turn < 4; turn++, answer(100)) await nextTurn();
    expect(countOf('early')).toBe(300 * callsAtOnce);
    expect(countOf('short')).toBe(40);
  });

  test('strangers, whose calls wait together, hold nobody', async () => {
    const { come, countOf } = await beside();
    come('stranger', 1000, 'nobody');
    come('short', 1, 'short');
    await nextTurn();
    await nextTurn();
    expect(countOf('short')).toBe(1);
  });

  test('the share of the other is renewed whenever all of its calls have begun', async () => {
    const { come, renewed } = await beside();
    come('short', 1, 'short');
    await nextTurn();
    await nextTurn();
    expect(renewed).toContain('short');
    expect(renewed).not.toContain('long');
  });
});
