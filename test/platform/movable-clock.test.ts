import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createMovableClock, type MovableClock } from '../../lib/platform/movable-clock';
import { VirtualClock, virtualClock } from '../../lib/platform/virtual-clock';

/** A movable clock, the clock below it, and what its timers wrote with the time of each. */
function rig() {
  const below = new VirtualClock(1_000_000);
  const clock = createMovableClock(below);
  const log: string[] = [];
  const write = (name: string) => () => void log.push(`${name} at ${clock.now() - 1_000_000}`);
  return { below, clock, log, write };
}

describe('a clock that can be moved on (E1.3)', () => {
  test('it shows the time below it and what it was advanced by', async () => {
    const { below, clock } = rig();
    await clock.advance(60_000);
    await below.pass(5);
    expect([clock.now(), clock.monotonicMs(), clock.aheadMs]).toEqual([1_060_005, 60_005, 60_000]);
    expect(below.now()).toBe(1_000_005);
  });

  test('a timer fires when real time passes, as on any clock', async () => {
    const { below, clock, log, write } = rig();
    clock.after(10, write('a'));
    await below.pass(20);
    expect(log).toEqual(['a at 10']);
  });

  test('all that falls due in an advance happens in order, each at its own time', async () => {
    const { clock, log, write } = rig();
    clock.after(300, write('c'));
    clock.after(100, write('a'));
    clock.after(100, write('b'));
    clock.after(1001, write('late'));
    await clock.advance(1000);
    expect(log).toEqual(['a at 100', 'b at 100', 'c at 300']);
  });

  test('an hourly timer that sets itself again fires 24 times in 24 hours', async () => {
    const { clock, log, write } = rig();
    const hourly = (): void => {
      write('hour')();
      clock.after(3_600_000, hourly);
    };
    clock.after(3_600_000, hourly);
    await clock.advance(86_400_000);
    expect(log).toHaveLength(24);
    expect(log.at(-1)).toBe('hour at 86400000');
  });

  test('what is left of a timer after an advance is what real time still has to bring', async () => {
    const { below, clock, log, write } = rig();
    clock.after(100, write('a'));
    await clock.advance(60);
    await below.pass(39);
    expect(log).toEqual([]);
    await below.pass(2);
    expect(log).toHaveLength(1);
  });

  test('a timer that is taken back never fires, and a pause ends early when its signal aborts', async () => {
    const { clock, log, write } = rig();
    const stop = new AbortController();
    const paused = clock.pause(500, stop.signal);
    clock.after(100, write('a'))();
    stop.abort();
    await paused;
    await clock.advance(1000);
    expect(log).toEqual([]);
  });

  test('two advances come one after the other', async () => {
    const { clock, log, write } = rig();
    clock.after(100, write('a'));
    clock.after(150, write('b'));
    await Promise.all([clock.advance(100), clock.advance(100)]);
    expect(log).toEqual(['a at 100', 'b at 150']);
    expect(clock.aheadMs).toBe(200);
  });

  test('the work that a timer started is waited for before the next timer fires', async () => {
    const log: string[] = [];
    let work = Promise.resolve();
    const clock: MovableClock = createMovableClock(new VirtualClock(0), () => work);
    clock.after(1, () => {
      work = Promise.resolve().then(() => void log.push('first done'));
    });
    clock.after(2, () => void log.push('second'));
    await clock.advance(5);
    expect(log).toEqual(['first done', 'second']);
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('%p is refused', (ms) => {
    expect(() => rig().clock.advance(ms)).toThrow(TypeError);
  });

  test('whatever the timers and the moves are, each fires once, in order, and none before its time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(1000), { maxLength: 12 }),
        fc.array(fc.nat(400), { maxLength: 6 }),
        async (delays, moves) => {
          const { clock } = rig();
          const fired: number[] = [];
          for (const delay of delays) {
            clock.after(delay, () => {
              fired.push(delay);
              expect(clock.monotonicMs()).toBe(delay);
            });
          }
          for (const ms of moves) await clock.advance(ms);
          const end = moves.reduce((sum, ms) => sum + ms, 0);
          const due = delays.filter((delay) => moves.length > 0 && delay <= end);
          expect(fired).toEqual(due.toSorted((a, b) => a - b));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('the virtual clock', () => {
  test('time passes as far as the work waits, without sleeping', async () => {
    const clock = virtualClock({ startedAt: 0 });
    await clock.run(clock.pause(3_600_000));
    expect(clock.now()).toBe(3_600_000);
  });

  test('work that takes turns of the event loop is not overtaken by its time limit', async () => {
    const clock = virtualClock({ startedAt: 0 });
    let isLate = false;
    clock.after(10, () => {
      isLate = true;
    });
    const work = async (): Promise<boolean> => {
      for (let turn = 0; turn < 6; turn++) await new Promise(setImmediate);
      return isLate;
    };
    expect(await clock.run(work())).toBe(false);
  });

  test.each([{ startedAt: Number.NaN }, { turns: 0 }, { turns: 1.5 }])(
    '%p is refused by the name of the option',
    (options) => {
      expect(() => virtualClock(options)).toThrow(Object.keys(options)[0]);
    },
  );
});
