import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { Known } from '../../../lib/proof/oracle/answers';
import { isEligible } from '../plan/discounts';
import type { Sighting, Stretch } from './purse';

/** What the service knows of a transaction that it sent, or voided. */
export class BookedItem extends Known {
  /** Whether it stands by the answer to the call that it was sent with, or to a resend of that. */
  counts = false;
  /** When it was first sent, and a void of it, by the world's clock; null until then. */
  sentAt: number | null = null;
  voidAt: number | null = null;
  /** Whether the round had ended before the call was sent whose answer is awaited. */
  overWhenSent = false;
  /** Of a debit, from its first sending until it is answered. */
  sighting: Sighting | null = null;
  /** Whether it was the first of the call that it was first sent with: nothing moves between. */
  leads = false;
  /** Of such a debit: what was seen of the balance from its first sending until it was processed. */
  taken: Stretch | null = null;

  /** As it was sent first. */
  get transaction(): Transaction {
    const [one] = this.transactions;
    if (one === undefined) throw new Error(`${this.hash} was not sent`);
    return one;
  }

  /** Its own currency; null for an end. */
  get currency(): string | null {
    const { transaction } = this;
    return 'currency' in transaction ? transaction.currency : null;
  }

  get isVoided(): boolean {
    return this.voidedIn !== null;
  }

  /** Whether it was refused. */
  get isRefused(): boolean {
    return this.answer !== null && this.answer !== 'processed';
  }

  /** Whether the operator grants its discount, if it has one. */
  get isEligible(): boolean {
    const { transaction } = this;
    return transaction.type !== 'debit' || isEligible(transaction.discount);
  }
}
