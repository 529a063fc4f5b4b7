import { describe, expect, it } from '@jest/globals';
import type { Call, Debit } from '../../../lib/protocol/operator-api/transaction';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { cancelRound, doTransactions } from '../../../lib/operator/wallet';
import { systemClock } from '../../../lib/platform';
import { unsignedDelivery } from '../../../lib/operator/gameround';

const round = { operatorId: 'casino', playerId: 'player', gameRound: 'round' };
const policy = { useBonusFirst: true, creditTo: 'real' } as const;

/** A store that holds 100 units of EUR for the player. */
async function storeWithPlayer() {
  const store = createMemoryStore({ decimals: 2 });
  await store.players.openPlayer({ ...round, currency: 'EUR', balances: { real: '1.00' } });
  return store;
}

function debit(hash: string, isFirstDebit: boolean): Debit {
  const rest = { discount: 0n, serial: null };
  return { type: 'debit', hash, currency: 'EUR', amount: 10n, isFirstDebit, ...rest };
}

function callOf(...transactions: Call['transactions'][number][]): Call {
  return { playerId: 'player', gameCode: 'bells', gameRound: 'round', transactions };
}

const voidOf = (hash: string) => ({ type: 'void', hash, amount: null, currency: null }) as const;

describe('a debit that was answered 5xx', () => {
  it.each([
    ['did not happen', false],
    ['did happen', true],
  ])(
    'and %s is unknown until its void, then refused as voided, and moves nothing',
    async (_, happened) => {
      const store = await storeWithPlayer();
      const ports = { rounds: store.rounds, clock: systemClock, policy, deadlineMs: 60_000 };
      const call = callOf(debit('d1', true));
      if (happened) await doTransactions(round, call, unsignedDelivery('d'), ports);
      const signal = new AbortController().signal;
      expect(await cancelRound(round, call, unsignedDelivery('d'), { ...ports, signal })).toBe(
        true,
      );
      expect(
        (await doTransactions(round, call, unsignedDelivery('d'), ports)).unknown,
      ).not.toBeNull();

      const voided = await doTransactions(
        round,
        callOf(voidOf('d1')),
        unsignedDelivery('d'),
        ports,
      );
      expect(voided).toMatchObject({ unknown: null, state: 'voided' });
      const late = await doTransactions(round, call, unsignedDelivery('d'), ports);
      expect(late.verdicts).toEqual([
        { hash: 'd1', outcome: 'refused', code: 'GAMEROUNDVOIDED', replay: true },
      ]);
      expect(late.accounts).toEqual([{ currency: 'EUR', real: 100n, bonus: null }]);
    },
  );

  it('as a follow-up lets the round continue once it is voided', async () => {
    const store = await storeWithPlayer();
    const ports = { rounds: store.rounds, clock: systemClock, policy, deadlineMs: 60_000 };
    await doTransactions(round, callOf(debit('d1', true)), unsignedDelivery('d'), ports);
    const followUp = callOf(debit('d2', false));
    await doTransactions(round, followUp, unsignedDelivery('d'), ports);
    const signal = new AbortController().signal;
    await cancelRound(round, followUp, unsignedDelivery('d'), { ...ports, signal });
    expect((await store.rounds.readRound(round))?.head.state).toBe('cancelled');

    const voided = await doTransactions(round, callOf(voidOf('d2')), unsignedDelivery('d'), ports);
    expect(voided).toMatchObject({ unknown: null, state: 'open' });
    expect(voided.accounts).toEqual([{ currency: 'EUR', real: 90n, bonus: null }]);
    const end = await doTransactions(
      round,
      callOf({ type: 'end', hash: 'e1' }),
      unsignedDelivery('d'),
      ports,
    );
    expect(end.state).toBe('closed');
  });
});
