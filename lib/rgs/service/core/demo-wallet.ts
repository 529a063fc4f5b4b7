import { type Balance, engineErrors } from '../../../protocol/engine-api';
import { maxUnits } from '../../../protocol/money';
import type { WalletAnswer, WalletCall } from '../../ports';
import type { Owner } from '../../rounds';
import type { Answer, ListedHash } from '../../settlement';
import type { DemoPurses } from '../state/demo-purses';

/** The wallet of DEMO: no call to the operator, ever (E19.1, W10). */
export interface DemoWallet {
  /** Answers at once. The outcome moves the money; so it moves once, however often the call is sent. */
  doTransactions(call: WalletCall): WalletAnswer;
  balanceOf(owner: Owner): Balance;
}

/** The wallet of DEMO; every player starts with the balance, in units. */
export function createDemoWallet(
  purses: DemoPurses,
  startBalance: bigint,
  now: () => number,
): DemoWallet {
  const totalOf = (owner: Owner): bigint => startBalance + purses.changeOf(owner, now());
  return {
    doTransactions({ owner, transactions }) {
      const [head] = transactions;
      const isTooMuch = head?.type === 'debit' && head.amount > totalOf(owner);
      return { answer: isTooMuch ? declined(head.hash) : processed(transactions), balance: null };
    },
    balanceOf(owner) {
      const total = totalOf(owner);
      // No client could read a reply with more, and would not know what became of its call (E4.1).
      const totalBalance = total < maxUnits ? total : maxUnits;
      const { currency } = owner;
      return {
        totalBalance,
        mode: 'DEMO',
        currency,
        balances: [{ type: 'demo', currency, amount: totalBalance }],
        discountInfo: null,
        tickets: null,
        ticketInfo: null,
      };
    },
  };
}

function processed(transactions: WalletCall['transactions']): Answer {
  const hashesProcessed = transactions.map(({ hash }): ListedHash => ({ hash, error: null }));
  return { kind: 'reply', status: 200, body: { hashesProcessed, error: null } };
}

function declined(hash: string): Answer {
  const error = engineErrors.BALANCETOOLOW;
  return {
    kind: 'reply',
    status: 400,
    body: { hashesProcessed: [{ hash, error }], error },
  };
}
