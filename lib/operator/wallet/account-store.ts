import type { MovementRefusal } from '../gameround';
import type { AmountInput } from '../../protocol/money';
import type { RoundJournal } from './round-journal';
import type { PlayerKey } from './round-key';
import type { Account, Unknown, WalletStore } from './store';

/** A player to open in one currency. Amounts are decimal texts, or `{ units }`. */
export interface NewPlayer extends PlayerKey {
  readonly currency: string;
  readonly balances: { readonly real: AmountInput; readonly bonus?: AmountInput };
}

/** The answer to {@link AccountStore.openPlayer}. */
export type OpenPlayerResult =
  | { readonly kind: 'opened' | 'existed'; readonly account: Account }
  | Unknown;

/** A deposit or withdrawal of a player. */
export interface CashOrder extends PlayerKey {
  readonly currency: string;
  /** A decimal text, or `{ units }`: a bare bigint is a TypeError. */
  readonly amount: AmountInput;
  /** Idempotency key: repeating an order with it never moves money twice. */
  readonly reference: string;
  /** Which balance; `real` unless set. */
  readonly balance?: 'real' | 'bonus';
}

/** The answer to a deposit or a withdrawal. */
export type CashResult =
  /** `replay`: the reference was known with the same content, so nothing moved again. */
  | { readonly kind: 'done'; readonly account: Account; readonly replay: boolean }
  /** Not final for the reference: nothing was recorded. */
  | { readonly kind: 'refused'; readonly reason: CashRefusal }
  | Unknown;

/** Why no money moved. `referenceReused`: the reference is known with other content. */
export type CashRefusal = Exclude<MovementRefusal, 'blocked' | 'refused'> | 'referenceReused';

/** The answer to {@link AccountStore.setBlocked}. */
export type BlockResult = { readonly kind: 'done' | 'noPlayer' } | Unknown;

/** The answer to {@link AccountStore.readPlayer}, as of one moment. */
export type ReadPlayerResult =
  | {
      readonly kind: 'known';
      /** Whether debits are refused (D4.9). */
      readonly blocked: boolean;
      readonly accounts: readonly Account[];
    }
  | { readonly kind: 'noPlayer' }
  | Unknown;

/**
 * A store that keeps the players' money itself. Its commits are all or nothing: if one movement is
 * refused, none was made.
 */
export interface AccountStore extends WalletStore, RoundJournal {
  /** Opens the account if the player has none in that currency; otherwise nothing changes. */
  openPlayer(player: NewPlayer): Promise<OpenPlayerResult>;

  /** Adds money once per reference. After `unknown`, retry with the same order. */
  deposit(order: CashOrder): Promise<CashResult>;

  /** Takes money once per reference, never more than the balance. */
  withdraw(order: CashOrder): Promise<CashResult>;

  /**
   * Blocks a player (`true`) or unblocks one: debits of a blocked player are refused, credits and voids
   * continue (D4.9).
   */
  setBlocked(player: PlayerKey, blocked: boolean): Promise<BlockResult>;

  /** The player's accounts, and whether debits are refused, as of one moment. */
  readPlayer(player: PlayerKey): Promise<ReadPlayerResult>;
}
