import type { Clock } from '../../../platform';
import { formatAmount } from '../../../protocol/money';
import type { Actor, CashKind, CashMovement, CashPageResult, PlayerKey } from '../../wallet';
import type { OperationsStore } from '../configuration';
import { queryStore } from './query-store';
import { RequestFault } from './request-fault';

/** Movements on a page. */
const movementsOnPage = 20;

/** A movement of cash; the amount is below zero if money was taken. */
export interface CashRow {
  /** ISO 8601, UTC; null if an earlier version moved it without a time. */
  readonly at: string | null;
  readonly kind: CashKind;
  readonly amount: string;
  readonly currency: string;
  readonly balance: 'real' | 'bonus';
  readonly reference: string;
  /** The person who did it; null if a program did. */
  readonly by: Actor | null;
  readonly reason: string | null;
}

/** A page of a player's cash, the newest first. */
export interface CashView {
  readonly movements: readonly CashRow[];
  /** The `cash` of the next page; null on the last. */
  readonly next: string | null;
}

/** A page of a player's cash; null if the store keeps none. @throws RequestFault, StoreUnavailableError */
export async function viewCash(
  { store, clock }: { readonly store: OperationsStore; readonly clock: Clock },
  player: PlayerKey,
  before: string | null,
): Promise<CashView | null> {
  if (store.cash === undefined) return null;
  const query = { limit: movementsOnPage, ...(before === null ? {} : { before }) };
  const page = await queryStore(clock, store.cash(player, query).catch(misplaced));
  if (page.kind === 'noPlayer') return { movements: [], next: null };
  return { movements: page.movements.map((one) => rowOf(one, store.decimals)), next: page.next };
}

/** A store refuses a place that it did not name as wrong use. */
function misplaced(error: unknown): CashPageResult {
  if (!(error instanceof TypeError)) throw error;
  throw new RequestFault(400, 'The place in the cash is not valid: begin at the first page.');
}

function rowOf({ at, units, ...movement }: CashMovement, decimals: number): CashRow {
  const { kind, currency, balance, reference, by, reason } = movement;
  return {
    at: at === null ? null : new Date(at).toISOString(),
    kind,
    amount: formatAmount(units, decimals),
    currency,
    balance,
    reference,
    by,
    reason,
  };
}
