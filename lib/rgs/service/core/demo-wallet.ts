import type { Clock } from '../../../platform';
import type { Balance } from '../../../protocol/engine-api/replies';
import { engineErrors } from '../../../protocol/engine-api/errors';
import { maxUnits } from '../../../protocol/money/amount';
import type { WalletAnswer, WalletCall } from '../../ports';
import type { Owner } from '../../rounds/round';
import type { Answer, ListedHash } from '../../settlement/answer';
import type { DemoPurses } from '../state/demo-purses';

/** The wallet of DEMO: no call to the operator, ever (E19.1, W10). */
export class DemoWallet {
  /** @param startBalance Units that every player starts with. */
  constructor(
    private readonly purses: DemoPurses,
    private readonly startBalance: bigint,
    private readonly clock: Clock,
  ) {}

  /** Answers at once. The outcome moves the money; so it moves once, however often the call is sent. */
  doTransactions({ owner, transactions }: WalletCall): WalletAnswer {
    const [head] = transactions;
    const isTooMuch = head?.type === 'debit' && head.amount > this.#totalOf(owner);
    return { answer: isTooMuch ? declined(head.hash) : processed(transactions), balance: null };
  }

  balanceOf(owner: Owner): Balance {
    const total = this.#totalOf(owner);
    // No client could read a larger amount, so it would not learn the outcome of its call (E4.1).
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
  }

  #totalOf(owner: Owner): bigint {
    return this.startBalance + this.purses.changeOf(owner, this.clock.now());
  }
}

function processed(transactions: WalletCall['transactions']): Answer {
  const hashesProcessed = transactions.map(({ hash }): ListedHash => ({ hash, error: null }));
  return { kind: 'reply', status: 200, body: { hashesProcessed, error: null } };
}

function declined(hash: string): Answer {
  const error = engineErrors.BALANCETOOLOW;
  return { kind: 'reply', status: 400, body: { hashesProcessed: [{ hash, error }], error } };
}
