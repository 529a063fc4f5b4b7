import type { Clock } from '../../../platform';
import {
  type DayWord,
  readSavedDay,
  type SavedCell,
  type SavedDay,
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
