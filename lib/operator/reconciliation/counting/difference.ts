import type { UnmatchedVoid } from '../rounds/unmatched-voids';

/** What a round is named for. */
export type DifferenceKind =
  | 'voided here alone'
  | 'voided there alone'
  | 'unknown to the RGS'
  | 'unknown to the wallet'
  | 'win differs'
  | 'bet differs'
  | 'another currency'
  | 'another game'
  | 'repaired here and paid there'
  | 'state differs'
  | 'straddles midnight'
  | 'void without debit';

/** What one side has of a round; null amounts if it does not say. */
export interface RoundSide {
  readonly currency: string;
  readonly bet: bigint;
  readonly win: bigint;
  readonly state: string | null;
}

/** A round that is named. */
export interface NamedRound {
  readonly round: string;
  readonly player: string | null;
  readonly kind: DifferenceKind | 'candidate';
  /** Of a candidate: why it may be the cause. */
  readonly reason: string | null;
  readonly ours: RoundSide | null;
  readonly theirs: RoundSide | null;
}

/** A cell that differs, with the rounds that explain it. Amounts are ours less theirs, in units. */
export interface Difference {
  /** Null if neither side says on which day a round of theirs counts. */
  readonly day: string | null;
  /** Empty where cells are of all games. */
  readonly game: string;
  readonly currency: string;
  readonly games: number;
  readonly bet: bigint;
  readonly win: bigint;
  readonly rounds: readonly NamedRound[];
  /** Candidates that fit as well and are not listed. */
  readonly more: number;
  /** What is said besides: of the cell that has the opposite difference, of a tolerance. */
  readonly notes: readonly string[];
  readonly isTolerated: boolean;
}

/** Whether a difference is of no more units than are tolerated in a cell, and of no game. */
export function isWithin(
  { games, bet, win }: Pick<Difference, 'games' | 'bet' | 'win'>,
  tolerated: bigint,
): boolean {
  return games === 0 && size(bet) + size(win) <= tolerated;
}

function size(units: bigint): bigint {
  return units < 0n ? -units : units;
}

/** A void without a debit, to be noted (D10.4). */
export function namedVoid({ round, player, hash, at }: UnmatchedVoid): NamedRound {
  const reason = `void of ${hash} at ${new Date(at).toISOString()}, and no debit within 24 hours`;
  return { round, player, kind: 'void without debit', reason, ours: null, theirs: null };
}
