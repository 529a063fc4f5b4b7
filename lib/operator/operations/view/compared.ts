import type { SavedRound } from '../../reconciliation/saved/day';
import type { ReconciliationSource } from '../../wallet';
import { type CurrencyWord, type ReconciledDay, wordOfCurrency } from './reconciliation';
import type { Period } from './money/period';

/** What a comparison with the RGS found of a day, in one currency. */
export interface ComparedDay {
  readonly day: string;
  readonly source: ReconciliationSource;
  readonly word: CurrencyWord;
  /** Why nothing is known of it. */
  readonly reason: string | null;
  /** How the RGS counts, such as `UTC, by end, voids restated`; null if nothing was compared. */
  readonly counting: string | null;
  /** What the wallet has more than the RGS. */
  readonly games: number;
  readonly bet: string;
  readonly win: string;
  /** At most ten, of this currency. */
  readonly rounds: readonly SavedRound[];
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

/** What was found of the days of a period. A day of another zone is another day: it is left out. */
export function comparedDays(
  days: readonly ReconciledDay[],
  { first, last }: Pick<Period, 'first' | 'last'>,
  zone: string,
  currency: string,
): ComparedDay[] {
  const asked = days.filter(
    ({ day, counting }) =>
      first <= day && day <= last && (counting === null || counting.startsWith(`${zone}, `)),
  );
  return asked
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
    .map((found) => {
      const { day, source, reason, counting, rounds, savedAt } = found;
      const cell = found.cells.find((one) => one.currency === currency);
      const { games = 0, bet = '0', win = '0' } = cell ?? {};
      return {
        day,
        source,
        word: wordOfCurrency(found, currency),
        reason,
        counting,
        games,
        bet,
        win,
        rounds: rounds.filter((one) => one.currency === currency),
        savedAt,
      };
    });
}
