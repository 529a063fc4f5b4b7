import type { Cells, Counting } from './cells';
import type { Difference, NamedRound } from './difference';
import type { Fit } from './fit';
import type { IncompleteDay } from '../rounds/log';
import type { UnmatchedVoid } from '../rounds/unmatched-voids';

/** What is compared. */
export interface Comparison {
  /** The first and the last day, such as `2026-11-01`. */
  readonly from: string;
  readonly to: string;
  /** Units of a cell that may differ without being a difference. */
  readonly tolerate: bigint;
}

/** How a comparison ended. */
export interface Reconciliation {
  /** The days that were compared, and those that could not be. */
  readonly days: readonly string[];
  readonly incomplete: readonly IncompleteDay[];
  /** How the other side seems to count; `isFitted` if a part of it was found by trying. */
  readonly fit: Fit;
  readonly isFitted: boolean;
  /** Cells or rounds that were compared. */
  readonly compared: number;
  /** The cells that were compared; absent where rounds were. */
  readonly cells?: { readonly ours: Cells; readonly theirs: Cells };
  readonly differences: readonly Difference[];
  /** Differences that were found and are not in the list, for there are too many. */
  readonly left: number;
  /** Rounds that a person may want to look at, none of which is a difference. */
  readonly noted: readonly NamedRound[];
  /** Of those, the voids without a debit (D10.4), the oldest first. */
  readonly unmatched: readonly UnmatchedVoid[];
  /** Rows of the export that cannot be read: the first ten, and how many there are. */
  readonly faults: readonly string[];
  readonly faulty: number;
  readonly notes: readonly string[];
}

/** `equal` only if every day was compared; `unreadable` if rows of the export were not: what differs may be theirs. */
export function verdictOf(
  result: Reconciliation,
): 'equal' | 'different' | 'incomplete' | 'unreadable' {
  const { differences, faults, incomplete, days } = result;
  if (faults.length > 0) return 'unreadable';
  if (differences.some((one) => !one.isTolerated)) return 'different';
  return incomplete.length > 0 || days.length === 0 ? 'incomplete' : 'equal';
}

/** Says how the other side counts. */
export function countingText({ zone, by, voids, freePlays }: Counting): string {
  const free = freePlays === 'left out' ? ', free plays left out' : '';
  return `${zone}, by ${by}, voids ${voids}${free}`;
}

/** What is said of other ways to count that fit as well. */
export function tieNotes({ counting, ties }: Fit): string[] {
  const differs = (name: keyof Counting): string[] => [
    ...new Set(ties.map((one) => one[name]).filter((one) => one !== counting[name])),
  ];
  const names = ['zone', 'by', 'voids', 'freePlays'] as const;
  return names.flatMap((name) => {
    const others = differs(name);
    if (others.length === 0) return [];
    return [`${name}: ${others.join(', ')} fits these days as well as ${counting[name]}`];
  });
}
