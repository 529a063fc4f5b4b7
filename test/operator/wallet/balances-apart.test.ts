import { describe, expect, it } from '@jest/globals';

import type { Call } from '../../../lib/protocol/operator-api/transaction';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { doTransactions, type Unknown, type WalletStore } from '../../../lib/operator/wallet';
import { systemClock } from '../../../lib/platform';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { unsignedDelivery } from '../../../lib/operator/gameround';
import { withParts } from '../../support/with-parts';

const round = { operatorId: 'casino', playerId: 'player', gameRound: 'round' };
const policy = { useBonusFirst: true, creditTo: 'real' } as const;
const silence: Unknown = { kind: 'unknown', cause: new Error('The accounts are silent.') };

/** A store that reads accounts separately, with the given answers, the last one for ever. */
async function storeThatAnswers(
  ...answers: readonly ('known' | Unknown)[]
): Promise<{ store: WalletStore; asked: () => number }> {
  const kept = createMemoryStore({ decimals: 2 });
  await kept.players.openPlayer({ ...round, currency: 'EUR', balances: { real: '1.00' } });
  let asked = 0;
  const store = withParts(kept, {
    rounds: {
      load: async (key, hashes) => {
        const result = await kept.rounds.load(key, hashes);
        if (result.kind === 'unknown') return result;
        const { head, entries } = result.snapshot;
        return { kind: 'loaded', snapshot: { head, entries } };
      },
      commit: async (key, change, hashes) => {
        const result = await kept.rounds.commit(key, change, hashes);
        if (result.kind !== 'stale') {
          return result.kind === 'committed' ? { kind: 'committed' } : result;
        }
        if (result.snapshot === undefined) return result;
        const { head, entries } = result.snapshot;
        return { kind: 'stale', snapshot: { head, entries } };
      },
      accounts: async (player) => {
        const answer = answers[Math.min(asked, answers.length - 1)] ?? 'known';
        asked += 1;
        return answer === 'known' ? kept.rounds.accounts(player) : answer;
      },
    },
  });
  return { store, asked: () => asked };
}

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

describe('a store that reads accounts apart', () => {
  it('is asked for them once, after all else, also where nothing new happened', async () => {
    const { store, asked } = await storeThatAnswers('known');
    const ports = { rounds: store.rounds, clock: systemClock, policy, deadlineMs: 60_000 };
    const accounts = [{ currency: 'EUR', real: 90n, bonus: null }];
    for (const times of [1, 2]) {
      const outcome = await doTransactions(round, call, unsignedDelivery('d'), ports);
      expect(outcome).toMatchObject({ unknown: null, accounts });
      expect(asked()).toBe(times);
    }
  });

  it('is asked again while it is silent, until the deadline', async () => {
    const { store, asked } = await storeThatAnswers(silence, silence, 'known');
    const ports = { rounds: store.rounds, clock: systemClock, policy, deadlineMs: 60_000 };
    const outcome = await doTransactions(round, call, unsignedDelivery('d'), ports);
    expect(outcome.unknown).toBeNull();
    expect(asked()).toBe(3);
  });

  it('leaves the outcome unknown, and tells of no hash, where the balances stay unknown (D6.2, O7)', async () => {
    const { store } = await storeThatAnswers(silence);
    const clock = new VirtualClock();
    const ports = { rounds: store.rounds, clock, policy, deadlineMs: 5000 };
    const outcome = await clock.run(doTransactions(round, call, unsignedDelivery('d'), ports));
    expect(outcome).toMatchObject({
      verdicts: [],
      unknown: { cause: silence.cause },
      accounts: null,
    });
    expect((await store.rounds.readRound(round))?.entries.get('d')?.transaction?.outcome).toBe(
      'accepted',
    );
  });

  it('is not asked again where it says that this is of no use', async () => {
    const { store, asked } = await storeThatAnswers({ ...silence, giveUp: true });
    const ports = { rounds: store.rounds, clock: systemClock, policy, deadlineMs: 60_000 };
    const outcome = await doTransactions(round, call, unsignedDelivery('d'), ports);
    expect(outcome).toMatchObject({ verdicts: [], unknown: { cause: silence.cause } });
    expect(asked()).toBe(1);
  });
});
