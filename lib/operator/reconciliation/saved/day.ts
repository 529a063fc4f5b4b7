import { schemasOf } from '../../../platform/validation/schemas';

/** What was found on a day. `unknown`: nothing can be said of it, such as after a failed check of the events. */
export type DayWord = 'equal' | 'differs' | 'incomplete' | 'unknown';

/** What can be found, and counts as a difference. */
export const foundKinds = [
  'voided here alone',
  'voided there alone',
  'unknown to the RGS',
  'unknown to the wallet',
  'win differs',
  'bet differs',
  'another currency',
  'another game',
  'repaired here and paid there',
  'state differs',
  'sums differ',
  'own check',
  'row not read',
  'not listed',
] as const;

/**
 * See {@link foundKinds}. Besides those that name a round: sums of a cell that no round is known to explain; events or books
 * that contradict each other; rows of the export; and rounds beyond those that a comparison names.
 */
export type FoundKind = (typeof foundKinds)[number];

/** What one side has of a round; amounts are decimal texts. */
export interface SavedSide {
  readonly currency: string;
  readonly bet: string;
  readonly win: string;
  readonly state: string | null;
}

/** A round that is named, or a candidate. */
export interface SavedRound {
  readonly round: string;
  readonly player: string | null;
  readonly kind: string;
  readonly reason: string | null;
  /** Of the cell that it explains. */
  readonly currency: string;
  readonly ours: SavedSide | null;
  readonly theirs: SavedSide | null;
}

/** Sums of rounds; amounts are decimal texts. */
export interface SavedSums {
  readonly games: number;
  readonly bet: string;
  readonly win: string;
}

/** What differs, ours less theirs, and what the RGS stated. */
interface SavedDifference extends SavedSums {
  /** Absent where rounds were compared, and in what earlier versions have saved. */
  readonly stated?: SavedSums;
  /** Ours less theirs of rounds that the two count on different days; they are no difference. Absent without any. */
  readonly midnight?: SavedSums;
}

/** A game of a currency. */
export interface SavedGame extends SavedDifference {
  readonly game: string;
  readonly stated: SavedSums;
}

/** A currency on a day: sums over its games. */
export interface SavedCell extends SavedDifference {
  readonly currency: string;
  readonly word: 'equal' | 'differs' | 'tolerated';
  /** If the RGS was asked by game: at most 50, those with a difference first, then those that took most. */
  readonly byGame?: readonly SavedGame[];
  /** Absent without any. */
  readonly gamesLeftOut?: number;
}

/** A void of a hash that the wallet did not know, and that no debit followed within 24 hours (D10.4). */
export interface SavedVoid {
  readonly round: string;
  readonly player: string;
  readonly hash: string;
  /** When the void came, ISO 8601 in UTC. */
  readonly at: string;
}

/** What a comparison found on one day: the JSON that a store keeps. */
export interface SavedDay {
  readonly word: DayWord;
  /** Why it is incomplete or unknown, or what differs may not. */
  readonly reason: string | null;
  /** How the RGS counts: zone, time, voids. Null if nothing was compared. */
  readonly counting: string | null;
  /** When the day ended, ISO 8601 in UTC; null if it was not compared. */
  readonly endedAt: string | null;
  /** By getStats every currency that was compared, by an export those that differ. */
  readonly cells: readonly SavedCell[];
  /** How often each kind was found; of a run as a whole, on its last day. */
  readonly kinds: Readonly<Partial<Record<FoundKind, number>>>;
  /** At most ten. */
  readonly rounds: readonly SavedRound[];
  /** Rounds that were found, or are candidates, and are not listed. */
  readonly leftOut: number;
  readonly currenciesLeftOut: number;
  /** The newest ones, the oldest first; absent without any. */
  readonly voids?: readonly SavedVoid[];
  /** Voids without a debit that are not listed; absent without any. */
  readonly voidsLeftOut?: number;
}

const schemas = schemasOf('options', ['saved-reconciliation']);

/** Reads what a store has kept; null if it is not of this form. */
export function readSavedDay(text: string): SavedDay | null {
  try {
    const value = JSON.parse(text) as unknown;
    return schemas.findFault('saved-reconciliation', value) === null ? (value as SavedDay) : null;
  } catch {
    return null;
  }
}
