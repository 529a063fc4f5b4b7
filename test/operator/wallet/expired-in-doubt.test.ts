import { expect, test } from '@jest/globals';

import { unsignedDelivery } from '../../../lib/operator/gameround';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { doTransactions, type Rounds, StoreUnavailableError } from '../../../lib/operator/wallet';
import { systemClock } from '../../../lib/platform';

const round = { operatorId: 'op', playerId: 'ann', gameRound: 'r' };

test('D10.2 a debit does not expire between two attempts of its call, of which the first is in doubt (D7)', async () => {
  const store = createMemoryStore();
  await store.players.openPlayer({ ...round, currency: 'EUR', balances: { real: '10' } });
  let commits = 0;
  const rounds: Rounds = {
    load: (...asked) => store.rounds.load(...asked),
    accounts: (player) => store.rounds.accounts(player),
    readRound: (asked) => store.rounds.readRound(asked),
    commit: async (...asked) => {
      commits += 1;
      if (commits > 1) return store.rounds.commit(...asked);
      return { kind: 'unknown', cause: new StoreUnavailableError('The store is silent.') };
    },
  };
  const timestamp = '2026-01-01T00:00:00.000Z';
  let forgottenBefore = Date.parse(timestamp) - 1;
  const shared = { hash: 'r', currency: 'EUR', amount: 1n, discount: 0n, serial: null, timestamp };
  const transactions = [{ ...shared, type: 'debit', isFirstDebit: true }] as const;
  const call = { playerId: 'ann', gameCode: 'bells', gameRound: 'r', transactions };
  const outcome = await doTransactions(round, call, unsignedDelivery('dlvr'), {
    rounds,
    clock: systemClock,
    policy: { useBonusFirst: true, creditTo: 'real' },
    deadlineMs: 600_000,
    forgottenBefore: () => forgottenBefore++,
  });
  expect(outcome.verdicts).toEqual([{ hash: 'r', outcome: 'processed', replay: false }]);
  expect(commits).toBe(2);
});
