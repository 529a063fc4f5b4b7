import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { now, send, shown } from './plain-calls';
import { SLIPS, type Step } from './plain-slips';
import { createWallet } from './wallets/plain-wallet.cjs';

/** Plays the steps, and answers what the last one was answered: status, balance, hashes, the error at the top. */
async function play(plants: readonly string[], steps: readonly Step[], file?: string) {
  let time = now;
  const options = { plants: new Set(plants), now: () => time, ...(file ? { file } : {}) };
  let wallet = createWallet(options);
  let last = '';
  for (const step of steps) {
    if (step === 'restart') {
      wallet.close();
      wallet = createWallet(options);
      continue;
    }
    const [lines, different] = typeof step === 'string' ? [step, {}] : step;
    time = now + (different.later ?? 0);
    const reply = await send(wallet, lines, different);
    last = `${shown(reply)} (${reply.body.errorCode?.id})`.replaceAll('undefined', 'none');
  }
  wallet.close();
  return last;
}

describe('a planted mistake shows, where the right wallet answers as it should', () => {
  test.each(Object.entries(SLIPS))('%s', async (name, [right, wrong, ...steps]) => {
    const folder = mkdtempSync(join(tmpdir(), 'plain-'));
    const file = (of: string) => (steps.includes('restart') ? join(folder, of) : undefined);
    try {
      const answers = [await play([], steps, file('right')), await play([name], steps, file(name))];
      expect(answers.map((one, at) => one.slice(0, [right, wrong][at]?.length))).toEqual([
        right,
        wrong,
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
