import { beforeEach, expect, test } from '@jest/globals';
import type { Debit } from '../../../lib/protocol/operator-api/transaction';
import { cancelRound } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { createLedgerRig, debit, playerId, round } from './ledger-rig';
import { unsignedDelivery } from '../../../lib/operator/gameround';

const followUp = (hash: string): Debit => ({
  ...(debit as Debit),
  hash,
  isFirstDebit: false,
});

let clock: VirtualClock;

beforeEach(() => {
  clock = new VirtualClock();
});

test('a pending debit that moved money is given back if the round does not accept it any more', async () => {
  const { ledger, journal, store, call } = createLedgerRig({ clock, breakAfter: 1000 });
  await clock.run(call(debit));
  const post = ledger.debit.bind(ledger);
  ledger.debit = async (posting, signal) => {
    await post(posting, signal);
    throw new Error('The answer is lost.');
  };
  expect((await clock.run(call(followUp('d2')))).unknown).not.toBeNull();
  ledger.debit = post;
  expect(ledger.strict.balance.real).toBe(980n);

  // Another call of the round was answered 5xx meanwhile: the round waits for its void.
  const transactions = [followUp('d3')];
  const other = { playerId, gameRound: round.gameRound, gameCode: 'bells', transactions };
  const { signal } = new AbortController();
  await clock.run(
    cancelRound(round, other, unsignedDelivery('other'), { rounds: store.rounds, clock, signal }),
  );
  expect((await journal.rounds.readRound(round))?.head.pending?.posts).toHaveLength(1);

  const { verdicts } = await clock.run(call(followUp('d2')));
  expect(verdicts).toEqual([
    { hash: 'd2', outcome: 'refused', code: 'GAMEROUNDNOTACTIVE', replay: false },
  ]);
  expect(ledger.strict.balance.real).toBe(990n);
  expect((await journal.rounds.readRound(round))?.head).toMatchObject({
    pending: null,
    debits: { real: 10n, bonus: 0n },
  });
});
