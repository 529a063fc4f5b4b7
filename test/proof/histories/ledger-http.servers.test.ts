import { afterAll, describe, expect, it } from '@jest/globals';

import { ledgerContract } from '../../../lib/proof';
import type { Ledger } from '../../../lib/operator/wallet';
import { type HttpLedger, startHttpLedger } from '../../network/http-ledger';

const runner = { describe, it, afterAll };

describe('a service that owns the balances', () => {
  ledgerContract({ runner, createLedger: startHttpLedger });
});

describe('the balance service', () => {
  it('lets real money be withdrawn though the bonus balance is below zero', async () => {
    const service = await startHttpLedger();
    const { ledger, players } = service;
    try {
      const { signal } = new AbortController();
      const player = { operatorId: 'casino', playerId: 'ann', currency: 'EUR' };
      const names = { ...player, gameRound: 'r', gameCode: 'bells' };
      await players.openPlayer({
        ...player,
        balances: { real: { units: 100n }, bonus: { units: 0n } },
      });
      const credit = { ...names, key: 'c', hash: 'c', purse: { real: 0n, bonus: 5n } };
      await ledger.credit(credit, signal);
      const debit = { ...names, key: 'd', hash: 'd', amount: 5n, bonusFirst: true };
      await ledger.debit(debit, signal);
      await ledger.reverse({ ...names, key: 'c', hash: 'c' }, signal);
      const order = { ...player, amount: { units: 7n }, reference: 'payout' };
      expect(await players.withdraw(order)).toEqual({ kind: 'done' });
      const accounts = await ledger.balances(player, signal);
      expect(accounts).toEqual([{ currency: 'EUR', real: 93n, bonus: -5n }]);
    } finally {
      await service.close();
    }
  });
});

describe('a service that owns the balances and is killed with -9 again and again', () => {
  const answersPerKill = 150;
  let [kills, answers] = [0, 0];
  let restarting: Promise<void> = Promise.resolve();

  /** The ledger, killed after a number of answers while other requests are in flight. */
  function withKills(made: HttpLedger): Ledger {
    const { ledger } = made;
    const counted = async <T>(answer: Promise<T>): Promise<T> => {
      const told = await answer;
      answers += 1;
      if (answers % answersPerKill === 0) {
        kills += 1;
        restarting = restarting.then(() => made.restart());
      }
      return told;
    };
    return {
      debit: (posting, signal) => counted(ledger.debit(posting, signal)),
      credit: (posting, signal) => counted(ledger.credit(posting, signal)),
      reverse: (posting, signal) => counted(ledger.reverse(posting, signal)),
      balances: (player, signal) => counted(ledger.balances(player, signal)),
    };
  }

  ledgerContract({
    runner,
    createLedger: async () => {
      const made = await startHttpLedger();
      const close = async (): Promise<void> => {
        await restarting;
        await made.close();
      };
      return { ledger: withKills(made), players: made.players, close };
    },
  });

  it('was killed amid the cases', () => expect(kills).toBeGreaterThan(5));
});
