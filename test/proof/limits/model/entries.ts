import type { LimitKind, LimitWindow } from '../../../../lib/operator/wallet';
import type { Purse } from '../../../../lib/protocol/money/purse';

/** Money that moved once, by the clock of the process that moved it. */
export interface Money {
  readonly type: 'take' | 'give' | 'deposit';
  readonly currency: string;
  readonly purse: Purse;
  readonly at: number;
}

/** A limit that was set, or lifted with an amount of null. */
export interface Setting {
  readonly type: 'limit';
  readonly kind: LimitKind;
  readonly currency: string;
  readonly window: LimitWindow;
  readonly zone: string;
  readonly counts: 'real' | 'all';
  readonly amount: bigint | null;
  readonly at: number;
}

/** All that happened to a player, in its order. */
export type Entry =
  | Money
  | Setting
  /** A void, and what it took back. */
  | {
      readonly type: 'back';
      readonly of: readonly Money[];
      readonly currency: string;
      readonly at: number;
    }
  /** What counts nothing: something that was declined, or was resent. */
  | { readonly type: 'nothing'; readonly at: number }
  /** What the store reported of its limits, by their keys. */
  | { readonly type: 'seen'; readonly used: ReadonlyMap<string, bigint>; readonly at: number };

/** The limits of a kind and a currency, since the first of them was set. */
export interface Group {
  readonly kind: LimitKind;
  readonly currency: string;
  readonly zone: string;
  readonly counts: 'real' | 'all';
  /** Where in the list it was made. */
  readonly from: number;
  readonly most: ReadonlyMap<LimitWindow, bigint>;
}
