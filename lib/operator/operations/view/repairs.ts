import type { Clock } from '../../../platform';
import type { RepairEntry, RepairJson, RoundKey, WalletStore } from '../../wallet';
import { repairJson } from '../../wallet/round-report';
import { currencySums } from './currency-sums';
import { queryStore } from './query-store';
import { misplaced, type RequestFields, shownOperator } from './request';

/** Repairs on a page. */
const repairsOnPage = 30;

/** A repair of a round with its outcome; times are ISO 8601 in UTC, amounts decimal texts. */
export interface RepairRow extends RoundKey, Omit<RepairJson, 'status'> {
  readonly gameCode: string | null;
  /** `proposed`: it waits for another person. `expired`: not decided within 24 hours. */
  readonly status: RepairJson['status'] | 'expired';
}

/** A page of an operator's repairs, the latest proposal first. */
export interface RepairsView {
  readonly asOf: string;
  readonly operatorId: string;
  readonly repairs: readonly RepairRow[];
  /** What those that were made gave players, by currency: below zero where voids took back more. */
  readonly given: Readonly<Record<string, string>>;
  /** The `from` of the next page; null on the last. */
  readonly next: string | null;
}

/**
 * A page of an operator's repairs; null if the store does not list them.
 * @throws RequestFault for an operator or a place that is not valid, StoreUnavailableError.
 */
export async function viewRepairs(
  request: RequestFields & { readonly store: WalletStore; readonly clock: Clock },
): Promise<RepairsView | null> {
  const { store, clock, fields } = request;
  const operatorId = shownOperator(request);
  if (store.repairs === undefined) return null;
  const cursor = fields.get('from') || null;
  const query = { limit: repairsOnPage, ...(cursor === null ? {} : { cursor }) };
  const page = await queryStore(
    clock,
    store.repairs.list(operatorId, query).catch(misplaced('repairs')),
  );
  const now = clock.now();
  const repairs = page.repairs.map((one) => repairRow(one, store.decimals, now));
  const given = currencySums(page.repairs.flatMap(givenBy), store.decimals);
  return { asOf: new Date(now).toISOString(), operatorId, repairs, given, next: page.next };
}

function givenBy({ repair }: RepairEntry) {
  const { status, currency, purse } = repair;
  return status === 'done' && currency !== null
    ? [[currency, purse.real + purse.bonus] as const]
    : [];
}

/** A repair as a row, at a time in milliseconds since 1970. */
export function repairRow(entry: RepairEntry, decimals: number, now: number): RepairRow {
  const { operatorId, playerId, gameRound, gameCode, repair } = entry;
  const json = repairJson(repair, entry, decimals);
  const isExpired = repair.status === 'proposed' && Date.parse(json.expiresAt) <= now;
  const status = isExpired ? 'expired' : json.status;
  return { operatorId, playerId, gameRound, gameCode, ...json, status };
}
