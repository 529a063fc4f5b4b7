import type { AmountInput } from '../../../protocol/money/amount';
import type { Actor } from './cash';
import type { Unknown } from './store-errors';

/** What a limit bounds (D13.3): what debits took; debits less credits and repairs; deposits. */
export const limitKinds = ['stake', 'loss', 'deposit'] as const;
/** One of {@link limitKinds}. */
export type LimitKind = (typeof limitKinds)[number];

/** For how long: a calendar day, a week from Monday, or a month, in the limit's zone. */
export const limitWindows = ['day', 'week', 'month'] as const;
/** One of {@link limitWindows}. */
export type LimitWindow = (typeof limitWindows)[number];

/** Most limits of a player (D13.3). */
export const maxLimits = 16;

/** Which limit: a player has at most one of each kind, currency and window. */
export interface LimitTerms {
  readonly kind: LimitKind;
  readonly currency: string;
  readonly window: LimitWindow;
  /** Such as `Europe/Stockholm`. All limits of a kind and a currency share it. */
  readonly zone: string;
  /** Whether the real balance alone counts, or real and bonus. All limits of a kind and a currency share it. */
  readonly counts: 'real' | 'all';
}

/** A limit to set, to change at once (D13.7), or to lift. */
export interface LimitOrder {
  readonly kind: LimitKind;
  readonly currency: string;
  readonly window: LimitWindow;
  /** `UTC` unless set, or that of the player's other limits of this kind and currency. */
  readonly zone?: string;
  /** `real` unless set, or as the player's other limits of this kind and currency have it. */
  readonly counts?: 'real' | 'all';
  /** A decimal text, or `{ units }`; null lifts the limit. */
  readonly amount: AmountInput | null;
}

/** A checked {@link LimitOrder}: null for what it leaves to the player's other limits. */
export interface LimitRequest {
  readonly kind: LimitKind;
  readonly currency: string;
  readonly window: LimitWindow;
  readonly zone: string | null;
  readonly counts: 'real' | 'all' | null;
  /** In units; null to lift it. */
  readonly amount: bigint | null;
}

/** Who sets or lifts a limit, and why. */
export interface LimitAct {
  /** Absent where a program does it. */
  readonly by?: Actor;
  /** Why: 1 to 500 characters. */
  readonly reason?: string;
}

/** The answer to {@link Players.setLimit}. Nothing was changed where it is refused. */
export type LimitResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'noPlayer' }
  /**
   * `noCurrency`: the player has no account in it. `tooMany`: the player has {@link maxLimits}. `otherTerms`: the
   * player's other limits of this kind and currency have another zone, or count otherwise: lift them first.
   * With `limitsFrom: 'history'` (P18), `historyTooShort`: the store does not have all rounds of the window;
   * `historyTooLong`: it has more of them, or of cash, than are read.
   */
  | {
      readonly kind: 'refused';
      readonly reason:
        | 'noCurrency'
        | 'tooMany'
        | 'otherTerms'
        | 'historyTooShort'
        | 'historyTooLong';
    }
  | Unknown;

/** A limit that counts, as of one moment. Amounts in units. */
export interface Limit extends LimitTerms {
  readonly amount: bigint;
  /** What counts in the window that runs; of `loss` below zero if the player has won. */
  readonly used: bigint;
  /** Never below zero. */
  readonly remaining: bigint;
  /**
   * Only where it is so: `used` may be too much, since an order with `limitsFrom: 'history'` did not end. Until then the limit
   * holds, and may refuse too early. The same order, sent again, ends it (P18).
   */
  readonly isBound?: true;
  /** When the next window begins, in milliseconds since 1970. */
  readonly resetsAt: number;
}

/** A limit was set or lifted. */
export interface LimitRecord extends LimitTerms {
  /** In units; null where it was lifted. */
  readonly amount: bigint | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null where a program did it. */
  readonly by: Actor | null;
  readonly reason: string | null;
}

/** The answer to {@link Players.limits}, as of one moment. */
export type LimitsResult =
  | {
      readonly kind: 'known';
      /** By kind, currency and window, in the order of {@link limitKinds} and {@link limitWindows}. */
      readonly limits: readonly Limit[];
      /** Newest first, at most 50; kept for ever. */
      readonly changes: readonly LimitRecord[];
    }
  | { readonly kind: 'noPlayer' }
  | Unknown;
