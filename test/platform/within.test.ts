import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  TimeUpError,
  unlessAborted,
  withDeadline,
  within,
  withTimeLimit,
} from '../../lib/platform/within';
import { VirtualClock } from '../../lib/platform/virtual-clock';

let clock: VirtualClock;
/** Work that is never done. */
const silence = new Promise<string>(() => {});

beforeEach(() => {
  clock = new VirtualClock();
});

/** Resolves to why a signal aborted. */
function reasonFor(until: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (until.aborted) resolve(until.reason);
    else until.addEventListener('abort', () => resolve(until.reason));
  });
}

describe('within', () => {
  test('the outcome of work that is done in time is its own, and no timer is left', async () => {
    expect(await within(clock, 10, Promise.resolve('done'))).toBe('done');
    const failure = new Error('no');
    await expect(within(clock, 10, Promise.reject(failure))).rejects.toBe(failure);
    expect(clock.waiting).toBe(0);
  });

  test('work that is late is rejected when its time is over, not before', async () => {
    const seen: unknown[] = [];
    const late = within(clock, 10, silence).catch((error: unknown) => seen.push(error));
    await clock.pass(9);
    expect(seen).toEqual([]);
    await clock.pass(1);
    await late;
    expect(seen).toEqual([expect.any(TimeUpError)]);
  });

  test('a late outcome is ignored, also where it is a failure', async () => {
    const work = clock.pause(20).then(() => Promise.reject(new Error('late')));
    await expect(clock.run(within(clock, 10, work))).rejects.toThrow('no answer in time');
    await clock.pass(20);
    expect(clock.waiting).toBe(0);
  });

  test('what takes the place of a late answer is what `late` makes or throws', async () => {
    const made = within(clock, 10, silence, { late: () => 'late' });
    expect(await clock.run(made)).toBe('late');
    const thrown = within(clock, 10, silence, {
      late: () => {
        throw new Error('too late');
      },
    });
    await expect(clock.run(thrown)).rejects.toThrow('too late');
  });

  test('a signal that aborts ends the wait with its reason, and no timer is left', async () => {
    const stop = new AbortController();
    const waiting = within(clock, 10, silence, { signal: stop.signal });
    const reason = new Error('closed');
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(within(clock, 10, silence, { signal: stop.signal })).rejects.toBe(reason);
    expect(clock.waiting).toBe(0);
  });

  test('a signal that aborts later changes nothing of an outcome', async () => {
    const stop = new AbortController();
    const answer = within(clock, 10, Promise.resolve('done'), { signal: stop.signal });
    expect(await answer).toBe('done');
    stop.abort();
    expect(await answer).toBe('done');
  });
});

describe('withDeadline', () => {
  test('the work hears that its time is over, and is waited for', async () => {
    const work = async (until: AbortSignal): Promise<unknown> => {
      const reason = await reasonFor(until);
      await clock.pause(500);
      return reason;
    };
    const startedAt = clock.monotonicMs();
    expect(await clock.run(withDeadline(clock, 10, work))).toBeInstanceOf(TimeUpError);
    expect(clock.monotonicMs() - startedAt).toBe(510);
  });

  test('the work hears that the parent aborts, and why, also where it did so before', async () => {
    const parent = new AbortController();
    const waiting = withDeadline(clock, 10, reasonFor, parent.signal);
    parent.abort('closed');
    expect(await waiting).toBe('closed');
    expect(await withDeadline(clock, 10, reasonFor, parent.signal)).toBe('closed');
    expect(clock.waiting).toBe(0);
  });

  test('the signal of work that is over aborts, and no timer is left', async () => {
    const signals: AbortSignal[] = [];
    const work = async (until: AbortSignal): Promise<string> => {
      signals.push(until);
      return 'done';
    };
    expect(await withDeadline(clock, 10, work)).toBe('done');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(clock.waiting).toBe(0);
  });
});

describe('unlessAborted', () => {
  test('work that does not listen is left behind the moment the signal aborts', async () => {
    const stop = new AbortController();
    const waiting = unlessAborted(stop.signal, silence);
    stop.abort('closed');
    await expect(waiting).rejects.toBe('closed');
    await expect(unlessAborted(stop.signal, silence)).rejects.toBe('closed');
  });

  test('work that is done or fails before is what it came to', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(signal, Promise.resolve('done'))).toBe('done');
    await expect(unlessAborted(signal, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});

describe('withTimeLimit', () => {
  test('the outcome of work that is done in time is its own, and no timer is left', async () => {
    expect(await withTimeLimit(clock, 10, async () => 'done')).toBe('done');
    const failure = new Error('no');
    const failing = withTimeLimit(clock, 10, () => Promise.reject(failure));
    await expect(failing).rejects.toBe(failure);
    expect(clock.waiting).toBe(0);
  });

  test('work that ignores its signal is given up when its time is over, and its signal says why', async () => {
    let until: AbortSignal | null = null;
    const late = withTimeLimit(clock, 10, (signal) => {
      until = signal;
      return silence;
    });
    await expect(clock.run(late)).rejects.toThrow('no answer in time');
    expect(until).toMatchObject({ aborted: true, reason: expect.any(TimeUpError) });
    expect(clock.waiting).toBe(0);
  });

  test("a parent that aborts ends it with the parent's reason, also one that has aborted already", async () => {
    const parent = new AbortController();
    const reason = new Error('closed');
    const waiting = withTimeLimit(clock, 10, () => silence, parent.signal);
    parent.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    let isBegun = false;
    const work = async (): Promise<void> => {
      isBegun = true;
    };
    await expect(withTimeLimit(clock, 10, work, parent.signal)).rejects.toBe(reason);
    expect(isBegun).toBe(false);
    expect(clock.waiting).toBe(0);
  });
});
