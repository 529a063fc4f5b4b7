import { afterAll, describe, expect, it } from '@jest/globals';

import { ledgerContract } from '../../../lib/proof';
import { startHttpLedger } from '../../network/http-ledger';

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
