import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Call } from '../../../lib/protocol/operator-api/transaction';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import {
  type AccountStore,
  doTransactions,
  type Unknown,
  type Rounds,
  type WalletStore,
} from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { unsignedDelivery } from '../../../lib/operator/gameround';
import { withParts } from '../../support/with-parts';

const round = { operatorId: 'casino', playerId: 'player', gameRound: 'round' };
const policy = { useBonusFirst: true, creditTo: 'real' } as const;
const deadlineMs = 1000;
/** Between two attempts of a call. */
const longestPauseMs = 250;
const call: Call = {
  playerId: 'player',
  gameCode: 'bells',
  gameRound: 'round',
  transactions: [
    {
      type: 'debit',
      hash: 'd',
      currency: 'EUR',
      amount: 10n,
      discount: 0n,
      isFirstDebit: true,
      serial: null,
    },
  ],
};
const silence: Unknown = { kind: 'unknown', cause: new Error('The store is silent.') };

let clock: VirtualClock;
let kept: AccountStore;

beforeEach(async () => {
  clock = new VirtualClock();
  kept = createMemoryStore({ decimals: 2, clock });
  await kept.players.openPlayer({ ...round, currency: 'EUR', balances: { real: '1.00' } });
});

/** A store that commits only as the answer says. */
function storeThat(commit: Rounds['commit']): WalletStore {
  return withParts(kept, { rounds: { commit } });
}

/** Runs the call; how long it took by the clock that only goes forward. */
async function run(store: WalletStore): Promise<{ isUnknown: boolean; tookMs: number }> {
  const startedAt = clock.monotonicMs();
  const ports = { rounds: store.rounds, clock, policy, deadlineMs };
  const { unknown } = await clock.run(doTransactions(round, call, unsignedDelivery('d'), ports));
  return { isUnknown: unknown !== null, tookMs: clock.monotonicMs() - startedAt };
}

describe.each([
  ['back', -250_000],
  ['forward', 250_000],
])('when the wall clock is set %s by 250 s while the store is silent', (_, byMs) => {
  beforeEach(() => {
    clock.after(300, () => clock.setWallClock(byMs));
  });

  test('a call that gets no answer ends at its deadline', async () => {
    const { isUnknown, tookMs } = await run(storeThat(() => new Promise(() => {})));
    expect(isUnknown).toBe(true);
    expect(tookMs).toBeGreaterThanOrEqual(deadlineMs);
    expect(tookMs).toBeLessThanOrEqual(deadlineMs + longestPauseMs);
  });

  test('a call with unknown answers of the store is tried until its deadline, and no longer', async () => {
    const askedAt: number[] = [];
    const store = storeThat(async () => {
      askedAt.push(clock.monotonicMs());
      return silence;
    });
    const { isUnknown, tookMs } = await run(store);
    expect(isUnknown).toBe(true);
    expect(tookMs).toBeGreaterThanOrEqual(deadlineMs);
    expect(tookMs).toBeLessThanOrEqual(deadlineMs + longestPauseMs);
    expect(Math.max(...askedAt)).toBeGreaterThan(deadlineMs / 2);
  });

  test('a call succeeds if the store answers again before the deadline', async () => {
    const startedAt = clock.monotonicMs();
    const store = storeThat(async (...change) =>
      clock.monotonicMs() - startedAt < 600 ? silence : kept.rounds.commit(...change),
    );
    expect((await run(store)).isUnknown).toBe(false);
  });
});
