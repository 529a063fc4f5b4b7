import { expect, test } from '@jest/globals';

import { withProgress } from '../../lib/cli/terminal/progress';
import { VirtualClock } from '../support/virtual-clock';

async function saidOf(seconds: number, { fails = false, isTTY = true } = {}): Promise<string[]> {
  const clock = new VirtualClock();
  const said: string[] = [];
  const work = async (add: (count: number) => void) => {
    add(1200);
    await clock.pause(seconds * 1000);
    if (fails) throw new Error('broken');
  };
  const stream = { isTTY, write: (line: string) => said.push(line) };
  const done = withProgress('accounts', work, { clock, stream }).catch(() => {});
  await clock.run(done);
  await clock.pass(60_000);
  return said;
}

test('how far a work is is said after a second, and every ten seconds until its end, and to a terminal alone', async () => {
  expect(await saidOf(0.9)).toEqual([]);
  const lines = ['1,200 accounts, 1 s\n', '1,200 accounts, 11 s\n'];
  expect(await saidOf(12)).toEqual(lines);
  expect(await saidOf(12, { fails: true })).toEqual(lines);
  expect(await saidOf(12, { isTTY: false })).toEqual([]);
});
