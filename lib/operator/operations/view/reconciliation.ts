import type { Clock } from '../../../platform';
import {
  type DayWord,
  readSavedDay,
  type SavedCell,
  type SavedDay,
  type SavedGame,
  type SavedRound,
  type SavedSums,
} from '../../reconciliation/saved/day';
import type { KeptReconciliation, ReconciliationSource, WalletStore } from '../../wallet';
import { queryStore } from './query-store';
import { type RequestFields, shownOperator } from './request';

/** Days on the page. */
const daysShown = 31;

/** What a comparison found on a day. */
export interface ReconciledDay extends SavedDay {
  readonly day: string;
  readonly source: ReconciliationSource;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

/** What `rgs-wallet reconcile --save` found on the newest 31 days that were saved, the newest first. */
export interface ReconciliationView {
  readonly asOf: string;
  readonly operatorId: string;
  readonly days: readonly ReconciledDay[];
}

/** What is known of a currency on a day. */
export type CurrencyWord = SavedCell['word'] | DayWord;

/** A currency that is not listed on a day that was compared does not differ, unless the list was cut. */
export function wordOfCurrency(
  { word, cells, currenciesLeftOut }: SavedDay,
  currency: string,
): CurrencyWord {
  const cell = cells.find((one) => one.currency === currency);
  if (cell !== undefined) return cell.word;
  if (word !== 'differs') return word;
  return currenciesLeftOut === 0 ? 'equal' : 'unknown';
}

/**
 * The saved results of an operator; null if the store keeps none.
 * @throws RequestFault for an operator that is not valid, StoreUnavailableError.
 */
export async function viewReconciliation(
  request: RequestFields & { readonly store: WalletStore; readonly clock: Clock },
): Promise<ReconciliationView | null> {
  const { store, clock } = request;
  const operatorId = shownOperator(request);
  if (store.reconciliations === undefined) return null;
  const found = store.reconciliations.list(operatorId, { days: daysShown });
  const days = (await queryStore(clock, found)).map(dayOf);
  return { asOf: new Date(clock.now()).toISOString(), operatorId, days };
}

function dayOf({ day, source, at, text }: KeptReconciliation): ReconciledDay {
  const found = readSavedDay(text) ?? unreadable;
  return { ...found, day, source, savedAt: new Date(at).toISOString() };
}

const unreadable: SavedDay = {
  word: 'unknown',
  reason: 'another version has saved it: it cannot be read',
  counting: null,
  endedAt: null,
  cells: [],
  kinds: {},
  rounds: [],
  leftOut: 0,
  currenciesLeftOut: 0,
};

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
  /** What the RGS stated; null if rounds were compared, or an earlier version has saved it. */
  readonly stated: SavedSums | null;
  /** What the wallet has more of rounds that the two count on different days; null without any. */
  readonly midnight: SavedSums | null;
  /** Empty unless the RGS was asked by game. */
  readonly byGame: readonly SavedGame[];
  readonly gamesLeftOut: number;
  /** At most ten, of this currency. */
  readonly rounds: readonly SavedRound[];
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

/** The first and the last day of a period. */
interface Bounds {
  readonly first: string;
  readonly last: string;
}

function daysWithin(
  days: readonly ReconciledDay[],
  { first, last }: Bounds,
  zone: string,
): ReconciledDay[] {
  return days.filter(
    ({ day, counting }) =>
      first <= day && day <= last && (counting === null || counting.startsWith(`${zone}, `)),
  );
}

/** The currencies in which a day of a period differs. */
export function differingCurrencies(
  days: readonly ReconciledDay[],
  bounds: Bounds,
  zone: string,
): string[] {
  const cells = daysWithin(days, bounds, zone).flatMap((found) => found.cells);
  const differing = cells.filter(({ word }) => word === 'differs');
  return [...new Set(differing.map(({ currency }) => currency))].toSorted();
}

/** What was found of the days of a period. A day of another zone is another day: it is left out. */
export function comparedDays(
  days: readonly ReconciledDay[],
  bounds: Bounds,
  zone: string,
  currency: string,
): ComparedDay[] {
  return daysWithin(days, bounds, zone)
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
    .map((found) => {
      const { day, source, reason, counting, rounds, savedAt } = found;
      const cell = found.cells.find((one) => one.currency === currency);
      const { games = 0, bet = '0', win = '0', stated = null, midnight = null } = cell ?? {};
      const { byGame = [], gamesLeftOut = 0 } = cell ?? {};
      return {
        day,
        source,
        word: wordOfCurrency(found, currency),
        reason,
        counting,
        games,
        bet,
        win,
        stated,
        midnight,
        byGame,
        gamesLeftOut,
        rounds: rounds.filter((one) => one.currency === currency),
        savedAt,
      };
    });
}
