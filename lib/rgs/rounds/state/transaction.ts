/** What every transaction for the wallet has; a transaction keeps its hash for good (E15.4). */
interface Common {
  readonly hash: string;
  /** Milliseconds of the service's clock when it fell due. */
  readonly at: number;
  readonly reason: string;
}

/** A discount that the operator offered for this stake (E17.3). */
export interface Discount {
  readonly amount: bigint;
  readonly campaignId: string;
}

/** A debit as sent to the wallet (B2, W6, W9). */
export interface DebitDue extends Common {
  readonly type: 'debit';
  readonly isFirstDebit: boolean;
  /** The full amount in units; 0 for a free play. */
  readonly amount: bigint;
  readonly currency: string;
  readonly discount: Discount | null;
  /** The free-play package that pays it; null if there is none. */
  readonly serial: string | null;
}

/** A credit as sent to the wallet. */
export interface CreditDue extends Common {
  readonly type: 'credit';
  readonly amount: bigint;
  readonly currency: string;
}

/** The end of the round. */
export interface EndDue extends Common {
  readonly type: 'end';
}

/** The void of a debit, with that debit's hash, amount and currency (W6). */
export interface VoidDue extends Common {
  readonly type: 'void';
  readonly amount: bigint;
  readonly currency: string;
}

/** A transaction that is due at the wallet. */
export type Due = DebitDue | CreditDue | EndDue | VoidDue;
