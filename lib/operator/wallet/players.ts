import type { MovementRefusal } from '../gameround';
import type { AmountInput } from '../../protocol/money/amount';
import type { AccountBooks, Actor, BooksQuery, CashPageResult, CashQuery } from './player/cash';
import type { LimitAct, LimitOrder, LimitResult, LimitsResult } from './player/limits';
import type { PlayerKey } from './player/round-key';
import type { Unknown } from './player/store-errors';

/** A player's balances in one currency, in units; `bonus` is null if there is no such balance. */
export interface Account {
  readonly currency: string;
  readonly real: bigint;
  readonly bonus: bigint | null;
}

/** A player to open in one currency. Amounts are decimal texts, or `{ units }`. */
export interface NewPlayer extends PlayerKey {
  readonly currency: string;
  readonly balances: { readonly real: AmountInput; readonly bonus?: AmountInput };
  /** Who opens the account, if a person does. */
  readonly by?: Actor;
  /** Why, for the opening movement: 1 to 500 characters. */
  readonly reason?: string;
}

/** The answer to {@link Players.openPlayer}. */
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
  /** Who ordered it, if a person did. Not part of the content: a replay keeps the first person and time. */
  readonly by?: Actor;
  /** Why: 1 to 500 characters. Not part of the content either. */
  readonly reason?: string;
}

/** A correction of a balance by a person. */
export interface CorrectionOrder extends PlayerKey {
  readonly currency: string;
  /** What is added; below zero it is taken: `'-2.50'`, or `{ units: -25000n }`. */
  readonly amount: AmountInput;
  /** Idempotency key, as of a {@link CashOrder}: one that a deposit or withdrawal has used is refused. */
  readonly reference: string;
  /** Which balance; `real` unless set. */
  readonly balance?: 'real' | 'bonus';
  readonly by: Actor;
  /** Why: 10 to 500 characters. */
  readonly reason: string;
}

/** The answer to a deposit, a withdrawal or a correction. */
export type CashResult =
  /**
   * `replay`: the reference was known with the same content (kind, amount, currency, balance), so nothing
   * moved again. The person and the reason may differ.
   */
  | { readonly kind: 'done'; readonly account: Account; readonly replay: boolean }
  /** Not final for the reference: nothing was recorded. */
  | { readonly kind: 'refused'; readonly reason: CashRefusal }
  | Unknown;

/**
 * Why no money moved. `referenceReused`: the reference is known with other content. `limitReached`: a deposit would
 * exceed a limit of the player (D13.3).
 */
export type CashRefusal = Exclude<MovementRefusal, 'blocked' | 'refused'> | 'referenceReused';

/** The answer to {@link Players.setBlocked}. */
export type BlockResult = { readonly kind: 'done' | 'noPlayer' } | Unknown;

/** Who blocks a player or lifts it, and why. */
export interface BlockAct {
  /** Absent where a program does it. */
  readonly by?: Actor;
  /** Why: 1 to 500 characters. */
  readonly reason?: string;
  /** When the block ends by itself, in milliseconds since 1970 (D13.2); never, unless set. Not for lifting a block. */
  readonly until?: number;
}

/** A player was blocked, or it was lifted. */
export interface BlockRecord {
  readonly blocked: boolean;
  /** When the block ends by itself, in milliseconds since 1970; null if it does not. */
  readonly until: number | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null where a program did it. */
  readonly by: Actor | null;
  readonly reason: string | null;
}

/** The answer to {@link Players.blocks}. */
export type BlocksResult =
  /** Newest first, at most 50. */
  | { readonly kind: 'known'; readonly blocks: readonly BlockRecord[] }
  | { readonly kind: 'noPlayer' }
  | Unknown;

/** The answer to {@link Players.readPlayer}, as of one moment. */
export type ReadPlayerResult =
  | {
      readonly kind: 'known';
      /** Whether debits are refused (D4.9). */
      readonly blocked: boolean;
      /** When the block ends by itself, in milliseconds since 1970; null if it does not, or if there is none. */
      readonly blockedUntil: number | null;
      readonly accounts: readonly Account[];
    }
  | { readonly kind: 'noPlayer' }
  | Unknown;

/** The players of a store that keeps their money itself: accounts, cash and blocks. */
export interface Players {
  /**
   * Opens the account if the player has none in that currency; otherwise nothing changes. With the account
   * it writes what it holds as the first movement of cash, a balance of 0 too.
   */
  openPlayer(player: NewPlayer): Promise<OpenPlayerResult>;

  /** Adds money once per reference. After `unknown`, retry with the same order. */
  deposit(order: CashOrder): Promise<CashResult>;

  /** Takes money once per reference, never more than the balance. */
  withdraw(order: CashOrder): Promise<CashResult>;

  /**
   * Blocks a player (`true`) or unblocks one: debits of a blocked player are refused, credits and voids
   * continue (D4.9, D13.1). Players with `blocks` record it with the act, durable with the block. An order that
   * repeats the latest record (the same order, person and reason) adds none.
   */
  setBlocked(player: PlayerKey, blocked: boolean, act?: BlockAct): Promise<BlockResult>;

  /**
   * Sets, changes or lifts a limit of the player, at once (D13.7). Once it is acknowledged, no debit (of `deposit`: no
   * deposit) is accepted that would exceed it, in any process. Optional: without it the store holds no limits.
   * @throws InvalidInputError or TypeError for a wrong order
   */
  setLimit?(player: PlayerKey, order: LimitOrder, act?: LimitAct): Promise<LimitResult>;

  /** The player's limits and who changed them. Optional, as {@link Players.setLimit}. */
  limits?(player: PlayerKey): Promise<LimitsResult>;

  /** The player's accounts, and whether debits are refused, as of one moment. */
  readPlayer(player: PlayerKey): Promise<ReadPlayerResult>;

  /**
   * When the player was blocked and when it was lifted, by whom and why; kept for ever. Optional: without it
   * nothing is kept of who blocked.
   */
  blocks?(player: PlayerKey): Promise<BlocksResult>;

  /**
   * Adds or takes money once per reference, by a person and with a reason; it never takes more than the
   * balance. Optional: without it a balance cannot be corrected.
   */
  correct?(order: CorrectionOrder): Promise<CashResult>;

  /**
   * The player's movements of cash, newest first, a page at a time. The cost is that
   * of the page, whatever the player has. Optional: without it cash has no history.
   */
  cash?(player: PlayerKey, query?: CashQuery): Promise<CashPageResult>;

  /**
   * The books of each account: what it holds, and the sums that this must come from. For a check by a
   * person or at night: it reads everything that the store has. An account that is opened meanwhile may be
   * missing. Optional: without it the books cannot be checked.
   * @throws StoreUnavailableError
   */
  books?(query?: BooksQuery): AsyncIterable<AccountBooks>;
}
