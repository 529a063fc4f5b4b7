import assert from 'node:assert/strict';
import { unseenRound } from '../../operator/gameround';
import type { RoundKey, WalletStore } from '../../operator/wallet';
import { systemClock } from '../../platform';
import { snapshotOf } from './case';

/** Rounds that are over are deleted soon. */
export const shortRetention = Object.freeze({ retentionMs: 400 });

const longestWaitMs = 120_000;

/** Waits until nothing is known of the round. */
export async function forgotten(store: Pick<WalletStore, 'load'>, round: RoundKey): Promise<void> {
  const deadline = systemClock.monotonicMs() + longestWaitMs;
  for (;;) {
    const { head, entries } = await snapshotOf(store, round, ['d']);
    if (head.version === 0) {
      assert.deepEqual([head, entries.size], [unseenRound, 0]);
      return;
    }
    assert.ok(
      systemClock.monotonicMs() < deadline,
      'a round that is over must be forgotten after the retention',
    );
    await systemClock.pause(10);
  }
}
