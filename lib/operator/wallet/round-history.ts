import type { AmountInput } from '../../protocol/money/amount';
import { givenBy, type OtherCredits } from '../gameround/repairs/standing';
import type { Repair, RoundHead, RoundState, RoundView } from '../gameround';
import { isMade } from '../gameround/repair';
import { stakeOf } from '../gameround/repairs/resolve';
import type { Purse } from '../../protocol/money/purse';
import type { PlayerKey, RoundKey } from './player/round-key';
import type { Unknown } from './player/store-errors';

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

/** A repair, and the round that it is of. */
export interface RepairEntry extends RoundKey {
  readonly gameCode: string | null;
  /** The round's version now: a proposal with another one is stale (D11.2). */
  readonly version: number;
  /** As it is now. */
  readonly repair: Repair;
}

/** Which repairs of an operator to list. */
export interface RepairsQuery {
  /** The `next` of a page before: the repairs that were proposed earlier. */
  readonly cursor?: string;
  /** Most repairs of the page, 1 to 200; 50 unless set. */
  readonly limit?: number;
}

/** The answer to {@link RepairList.list}. */
export type RepairsPageResult =
  | {
      readonly kind: 'known';
      readonly repairs: readonly RepairEntry[];
      /** The cursor of the next page; null if this was the last. */
      readonly next: string | null;
    }
  | Unknown;

/**
 * The repairs of a store (D11). A store that has them writes `RoundHead.repairs` with a commit, returns it unchanged with a
 * load, and keeps rounds with it for ever. Without them no repair can be proposed: a repair whose record is lost could be
 * made twice.
 */
export interface RepairList {
  /**
   * Every repair ever proposed, whatever its outcome, a page at a time: the latest proposal first. A repair
   * keeps its place, so it is listed once, whatever is written between two pages; it is shown as of the reading
   * of its page. The cost is that of the page, not of rounds without repairs.
   * @throws TypeError for wrong use, and for a cursor that this store did not give for this operator.
   */
  list(operatorId: string, query?: RepairsQuery): Promise<RepairsPageResult>;
}

/** The entry of a repair, for a store's `repairs.list`; null if the round has none with this id. */
export function createRepairEntry(
  { operatorId, playerId, gameRound }: RoundKey,
  { version, gameCode, repairs }: Pick<RoundHead, 'version' | 'gameCode' | 'repairs'>,
  id: string,
): RepairEntry | null {
  const repair = repairs?.list.find((one) => one.id === id);
  if (repair === undefined) return null;
  return { operatorId, playerId, gameRound, gameCode, version, repair };
}

/**
 * A round that a person should look at. The optional members are those of `createAttentionEntry`: a store
 * of your own may leave them out.
 */
export interface AttentionEntry extends RoundKey {
  readonly state: RoundState;
  /** When the round entered its state, in milliseconds since 1970. */
  readonly stateSince?: number;
  /** The game of the round's first call; null if nothing is known of it. */
  readonly gameCode?: string | null;
  /** The currency of `atStake`; null if the round has none. */
  readonly currency?: string | null;
  /**
   * The money at stake, in units. For a stranded or crashed round: the credits that were refused for good,
   * which is what the player was not paid. For any other, and where no such credit is recorded: what the
   * debits took less what the credits gave, which is what a void would give back; below zero if the player
   * is ahead.
   */
  readonly atStake?: bigint;
  /**
   * The code with which a credit of `atStake` was refused for good, the first by name of several; null or absent
   * without any.
   */
  readonly refusal?: string | null;
  /** The round's latest proposal, if the round has not changed since; otherwise absent (D11). */
  readonly proposal?: Pick<Repair, 'id' | 'kind' | 'proposedBy' | 'proposedAt'>;
}

/** The rounds of an operator that wait for something. */
export interface RoundLists {
  /**
   * The operator's rounds that are cancelled, stranded or crashed, each built by `createAttentionEntry`. A
   * round that changes its state meanwhile may be missing, or listed with its former state. It costs what
   * is listed, whatever else the store holds.
   * @throws StoreUnavailableError
   */
  attention(operatorId: string): AsyncIterable<AttentionEntry>;

  /**
   * The operator's rounds that are open, and have been since `before` (milliseconds since 1970) or longer:
   * a round whose end never came. Optional: lists without an index of them do not have it, such as those in
   * Redis without the option `history`. It costs what is listed.
   * @throws StoreUnavailableError
   */
  readonly openRounds?:
    | ((operatorId: string, before: number) => AsyncIterable<AttentionEntry>)
    | undefined;

  /**
   * The operator's rounds whose head has pending work. A round that changes meanwhile may be missing, or
   * listed although its pending work is done. Optional: only the rounds of a ledger have any.
   * @throws StoreUnavailableError
   */
  unfinished?(operatorId: string): AsyncIterable<RoundKey>;
}

/**
 * The entry of a round, for a store's `lists`. Only the entries of credits that are not
 * accepted count; a store may leave out all others. Refused credits in several currencies are summed in that of
 * the first one given.
 */
export function createAttentionEntry(
  { operatorId, playerId, gameRound }: RoundKey,
  view: RoundView,
): AttentionEntry {
  const { head } = view;
  const { currency, units: atStake, refusal } = stakeOf(view);
  // A page builds thousands: a spread of the key would be slower than all the rest.
  const entry: AttentionEntry = {
    operatorId,
    playerId,
    gameRound,
    state: head.state,
    stateSince: head.changedAt,
    gameCode: head.gameCode,
    currency,
    atStake,
    refusal,
  };
  const open = head.repairs?.list.find(
    ({ status, version }) => status === 'proposed' && version === head.version,
  );
  if (open === undefined) return entry;
  const { id, kind, proposedBy, proposedAt } = open;
  return { ...entry, proposal: { id, kind, proposedBy, proposedAt } };
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
