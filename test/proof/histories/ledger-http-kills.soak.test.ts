import { afterAll, describe, expect, it } from '@jest/globals';

import { ledgerContract } from '../../../lib/proof';
import type { Ledger } from '../../../lib/operator/wallet';
import { type HttpLedger, startHttpLedger } from '../../network/http-ledger';

const runner = { describe, it, afterAll };

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
