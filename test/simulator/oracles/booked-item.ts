import type { Item } from '../plan/types';
import type { Sighting, Stretch } from './purse';

/** What the service knows of a transaction that it sent, or voided. */
export interface BookedItem extends Item {
  /** Of the initial debit: for the table of what the service does. */
  readonly isFirstDebit: boolean;
  /** `processed`, or the id of its error; null until it was answered. */
  outcome: 'processed' | number | null;
  /** Whether it stands by the answer to the call that it was sent with, or to a resend of that. */
  counts: boolean;
  /** When it was first sent, and a void of it, by the world's clock; null until then. */
  sentAt: number | null;
  voidAt: number | null;
  /** A void of it was sent; it was acknowledged. */
  voidSent: boolean;
  voided: boolean;
  /** Whether it was voided before the call was sent whose answer is awaited. */
  goneWhenSent: boolean;
  /** Whether the round had ended before the call was sent whose answer is awaited. */
  overWhenSent: boolean;
  /** The debit before it in the call that it was first sent with: its void takes this along (D5.3). */
  readonly behind: BookedItem | null;
  /** Of a debit, from its first sending until it is answered. */
  sighting: Sighting | null;
  /** Whether it was the first of the call that it was first sent with: nothing moves between. */
  readonly leads: boolean;
  /** Of such a debit: what was seen of the balance from its first sending until it was processed. */
  taken: Stretch | null;
}

/** A transaction that was not sent so far, behind a debit of its call; `leads`: as the first of that. */
export function newlyBooked(item: Item, behind: BookedItem | null, leads: boolean): BookedItem {
  const { type, hash, amount, currency, first, serial, discount } = item;
  return {
    type,
    hash,
    amount,
    currency,
    first,
    serial,
    discount,
    isFirstDebit: first === true,
    outcome: null,
    counts: false,
    sentAt: null,
    voidAt: null,
    voidSent: false,
    voided: false,
    goneWhenSent: false,
    overWhenSent: false,
    behind: type === 'debit' ? null : behind,
    sighting: null,
    leads,
    taken: null,
  };
}

/** Whether a debit was voided that was never answered: that ends a decline (D4.5). */
export function isGivenUp(debit: BookedItem | undefined): boolean {
  return debit?.outcome === null && debit.voided;
}

/** What a debit takes. */
export function stakeOf({ amount, discount = 0 }: Pick<Item, 'amount' | 'discount'>): number {
  return amount - discount;
}
