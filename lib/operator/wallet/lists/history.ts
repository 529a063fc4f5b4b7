import type { AmountInput } from '../../../protocol/money/amount';
import type { Purse } from '../../../protocol/money/purse';
import type { RoundHead, RoundState, RoundView } from '../../gameround';
import { isMade } from '../../gameround/repair';
import { givenBy, type OtherCredits } from '../../gameround/repairs/standing';
import type { PlayerKey, RoundKey } from '../player/round-key';
import type { Unknown } from '../player/store-errors';

/** A round in a player's list of rounds. */
export interface RoundSummary extends RoundKey {
  readonly state: RoundState;
  /** When it entered this state, in milliseconds since 1970; so are the other times. */
  readonly stateSince: number;
  /** The game of its first call; null if nothing is known of it. */
  readonly gameCode: string | null;
  /** The currency of `debits` and `credits`; null for a round that never started: both are 0. */
  readonly currency: string | null;
  /** When its first transaction was recorded. */
  readonly openedAt: number;
  /** When its latest transaction, void or repair was recorded. */
  readonly lastAt: number;
  /** What the effective debits took, in units. */
  readonly debits: Purse;
  /** What the effective credits gave, and people paid by repairs, in units. */
  readonly credits: Purse;
  /** What people paid in other currencies; absent without any. */
  readonly otherCredits?: readonly OtherCredits[];
  /** Whether a repair by people is made (D11); absent otherwise. */
  readonly isRepaired?: true;
}

/** Which rounds of a player to list. */
export interface RoundsQuery {
  /** The `next` of a page before, of the same filters: the rounds that are older. */
  readonly cursor?: string;
  /** Most rounds of the page, 1 to 200; 50 unless set. */
  readonly limit?: number;
  /** Only rounds that were opened at this moment or later, in milliseconds since 1970. */
  readonly from?: number;
  /** Only rounds that were opened before this moment, in milliseconds since 1970. */
  readonly to?: number;
  /** Only rounds of this game, by its code. */
  readonly game?: string;
  /** Only rounds that are in this state now. */
  readonly state?: RoundState;
  /** Only rounds whose credits in their own currency, real and bonus together, are at least this: `'10.50'` or `{ units }`. */
  readonly min?: AmountInput;
}

/** The answer to {@link RoundHistory.rounds}. */
export type RoundsPageResult =
  | {
      readonly kind: 'known';
      /** Newest first. Empty for a player without rounds, also one who is unknown. */
      readonly rounds: readonly RoundSummary[];
      /** The cursor of the next page; null if this was the last. */
      readonly next: string | null;
    }
  | HistoryOff
  | Unknown;

/** The store keeps no list of rounds, because its option `history` is not set. */
export interface HistoryOff {
  readonly kind: 'off';
}

/** The answer to {@link RoundHistory.beside}. */
export type BesideResult =
  | {
      readonly kind: 'known';
      /** The player's round before it in the list; null if it is the oldest. */
      readonly before: RoundSummary | null;
      /** The round after it; null if it is the newest. */
      readonly after: RoundSummary | null;
    }
  /** It is not among the 2,000 rounds that were opened about that time. */
  | { readonly kind: 'notFound' }
  | HistoryOff
  | Unknown;

/** Which round to find. */
export interface RoundByHash extends PlayerKey {
  /** The hash of a debit, credit or end; a void has that of its debit. */
  readonly hash: string;
  /** The `next` of a search before, to continue it. */
  readonly cursor?: string;
}

/** The answer to {@link RoundHistory.findRound}. */
export type FindRoundResult =
  | { readonly kind: 'found'; readonly round: RoundSummary }
  | {
      /** None of the rounds that were searched has the hash. */
      readonly kind: 'notFound';
      /** How many rounds were searched, by this call. */
      readonly searched: number;
      /** The cursor to search older rounds with; null if all were searched. */
      readonly next: string | null;
    }
  | HistoryOff
  | Unknown;

/**
 * The rounds of each player, as the store has them: rounds that were deleted after their retention (D10) are gone
 * here too.
 */
export interface RoundHistory {
  /**
   * The player's rounds, the newest first, a page at a time: in the order in which the store wrote their
   * first transactions. The cost is that of the page, whatever the player has. Rounds that were there when
   * the first page was read are listed once each, whatever is written meanwhile. A page may have fewer
   * rounds than its limit before the last. With `from` and `to` it begins by a search for the time, which assumes that
   * the clocks of the processes differ by less than ten minutes. With `game`, `state` or `min` it reads
   * a limited number of rounds (2,000 in Redis, 10,000 elsewhere), so that a page may be empty and yet have a `next`.
   * @throws TypeError for wrong use, and for a cursor that this store did not give for this player and the same filters.
   */
  rounds(player: PlayerKey, query?: RoundsQuery): Promise<RoundsPageResult>;

  /**
   * The player's round with this hash; the newest one if several have it. One call searches a limited number of
   * the player's rounds, the newest first: continue with `next`.
   * @throws TypeError as of `rounds`.
   */
  findRound(query: RoundByHash): Promise<FindRoundResult>;

  /**
   * The rounds before and after one that was opened at this time. It begins by a search for the time, as `rounds` does.
   * @throws InvalidInputError or TypeError that names what is missing or wrong.
   */
  beside(round: RoundKey, openedAt: number): Promise<BesideResult>;
}

/** The summary of a round, for a store's `history`. */
export function createRoundSummary(round: RoundKey, { head, entries }: RoundView): RoundSummary {
  const times = [...entries.values()].flatMap(({ transaction, void: order }) => [
    ...(transaction === undefined ? [] : [transaction.at]),
    ...(order === undefined ? [] : [order.at]),
  ]);
  return summaryOf(round, head, times);
}

/** The same from the times at which its transactions and voids were recorded; the earliest and latest do. */
export function summaryOf(
  round: RoundKey,
  head: RoundHead,
  recordedAt: readonly number[],
): RoundSummary {
  const { operatorId, playerId, gameRound } = round;
  const { state, changedAt: stateSince, gameCode, currency, debits } = head;
  const { credits, others } = givenBy(head);
  const posted = head.pending?.posts.map(({ record }) => record.at) ?? [];
  const repaired = head.repairs?.list.map((one) => one.decidedAt ?? one.proposedAt) ?? [];
  const first = [...recordedAt, ...posted].reduce(earlier, Number.POSITIVE_INFINITY);
  const openedAt = Number.isFinite(first) ? first : stateSince;
  const lastAt = [...recordedAt, ...posted, ...repaired].reduce(later, openedAt);
  const names = { operatorId, playerId, gameRound };
  const sums = { debits, credits, ...(others.length > 0 && { otherCredits: others }) };
  const more = head.repairs?.list.some(isMade) === true && ({ isRepaired: true } as const);
  return { ...names, state, stateSince, gameCode, currency, openedAt, lastAt, ...sums, ...more };
}

function earlier(one: number, other: number): number {
  return Math.min(one, other);
}

function later(one: number, other: number): number {
  return Math.max(one, other);
}
