import { emptyPurse, type Purse, subtractPurses } from '../../../protocol/money/purse';
import type { PlayerKey } from './round-key';
import type { Unknown } from './store-errors';

/**
 * Why cash moved. `opening`: what an account held when it was opened. `correction`: a person set a balance
 * right.
 */
export type CashKind = (typeof cashKinds)[number];

/** Every {@link CashKind}. */
export const cashKinds = ['opening', 'deposit', 'withdrawal', 'correction'] as const;

/** Money that moved between a player's balance and the world outside the rounds. Never changed, never deleted. */
export interface CashMovement {
  /** The order's reference. An opening has its own, with a `#`, which no order can have: `#opening EUR real`. */
  readonly reference: string;
  readonly kind: CashKind;
  readonly currency: string;
  readonly balance: 'real' | 'bonus';
  /** Below zero if money was taken; 0 only in an opening. */
  readonly units: bigint;
  /** When it moved, in milliseconds since 1970; null if an earlier version moved it without a time. */
  readonly at: number | null;
  /** The person who did it; null if a program did. */
  readonly by: Actor | null;
  readonly reason: string | null;
}

/** Which movements {@link Players.cash} lists. */
export interface CashQuery {
  /** The `next` of a page before: the movements that are older. */
  readonly before?: string;
  /** Most movements of the page, 1 to 200; 50 unless set. */
  readonly limit?: number;
}

/** The answer to {@link Players.cash}. */
export type CashPageResult =
  | {
      readonly kind: 'known';
      /** Newest first. */
      readonly movements: readonly CashMovement[];
      /** For the next page; null if this was the last. */
      readonly next: string | null;
    }
  | { readonly kind: 'noPlayer' }
  | Unknown;

/** The reference of an opening movement. */
export function openingReference(currency: string, balance: 'real' | 'bonus'): string {
  return `#opening ${currency} ${balance}`;
}

/** Which books {@link Players.books} reads. */
export interface BooksQuery {
  /** One operator; all of the store unless set. */
  readonly operatorId?: string;
  /** One player of the operator. */
  readonly playerId?: string;
}

/** The books of one account, as of one moment. They are whole if `booksDifference` is empty. */
export interface AccountBooks extends PlayerKey {
  readonly currency: string;
  readonly balance: Purse;
  /** The sum of all movements of cash. */
  readonly cash: Purse;
  /** What the stored rounds gave, less what they took. */
  readonly rounds: Purse;
  /** The same for rounds in or after their retention: it remains when they are deleted (D10). */
  readonly carried: Purse;
  /** What repairs of the rounds gave; absent if the store has none. */
  readonly repairs?: Purse;
  /** False if an earlier version opened the account and left no opening: then its books cannot be whole. */
  readonly hasOpening: boolean;
  /** False if the player kept playing while the store read: a difference may not be real. */
  readonly isAtRest: boolean;
}

/** The balance less what the books say: empty if they are whole. */
export function booksDifference(books: AccountBooks): Purse {
  const { balance, cash, rounds, carried, repairs = emptyPurse } = books;
  return [cash, rounds, carried, repairs].reduce(subtractPurses, balance);
}

/** A person who did something to the wallet, for the audit trail. */
export interface Actor {
  /**
   * The person's id, as the platform knows them: 1 to 128 characters, without # or control characters (D2.6),
   * or spaces around it. One person always has the same one.
   */
  readonly id: string;
  /** The person's name for others to read; null if there is none. */
  readonly name: string | null;
}
