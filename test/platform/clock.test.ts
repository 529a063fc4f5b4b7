import { describe, expect, test } from '@jest/globals';
import { systemClock } from '../../lib/platform';

describe('the clock of the system', () => {
  test('a pause ends early, without an error, when its signal aborts', async () => {
    const stop = new AbortController();
    const waiting = systemClock.pause(2 ** 31 - 1, stop.signal);
    stop.abort();
    await waiting;
    await systemClock.pause(2 ** 31 - 1, stop.signal);
  });

  test('a timer longer than the system knows is not due at once', async () => {
    let isDue = false;
    const cancel = systemClock.after(2 ** 31, () => {
      isDue = true;
    });
    await systemClock.pause(2); // what is due at once is due before this
    cancel();
    expect(isDue).toBe(false);
  });
});
