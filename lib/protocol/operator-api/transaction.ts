/** The transaction types of the protocol (operator-api 2.1), in the kit's spelling. */
export type TransactionType = 'debit' | 'credit' | 'end' | 'void';

/** A movement out of the player's balance. */
export interface Debit {
  readonly type: 'debit';
  readonly hash: string;
  readonly currency: string;
  /** Units; 0 for a free play. */
  readonly amount: bigint;
  /** Units by which a discount reduces the amount; 0 without one. */
  readonly discount: bigint;
  /** As sent; null if it was not sent, and the round's state decides (D2.3). */
  readonly isFirstDebit: boolean | null;
  /** The free-play package, null if there is none. */
  readonly serial: string | null;
  /** As sent, and no part of the content (D3.2): when the debit was made, if it is a date-time (D10.2). */
  readonly timestamp?: string | undefined;
}

/** A movement into the player's balance. */
export interface Credit {
  readonly type: 'credit';
  readonly hash: string;
  readonly currency: string;
  /** Units. */
  readonly amount: bigint;
  readonly serial: string | null;
}

/** The end of the gameround. */
export interface End {
  readonly type: 'end';
  readonly hash: string;
}

/** The reversal of a debit, whose hash it carries (operator-api 3, rule 6). */
export interface Void {
  readonly type: 'void';
  readonly hash: string;
  /** Units as sent, only for the log (D5.6); null if none were sent. */
  readonly amount: bigint | null;
  readonly currency: string | null;
}

/** One item of `transactions`, read and exact. */
export type Transaction = Debit | Credit | End | Void;

/** A doTransactions call, read and exact. */
export interface Call {
  readonly playerId: string;
  readonly gameCode: string;
  readonly gameRound: string;
  readonly transactions: readonly Transaction[];
}
