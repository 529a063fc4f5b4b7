import { formatAmount } from '../../../../protocol/money/amount';
import { isPlainText } from '../../../stores/check-input';
import { isIdentifier } from '../../../../protocol/identifiers';
import type { RepairKind } from '../../../gameround';
import {
  type ActContent,
  type ActKind,
  actKinds,
  type ActsQuery,
  type Actor,
  type ExportContent,
  type CashKind,
  type LimitTerms,
  type PersonAct,
  type RightsContent,
  type RepairStep,
} from '../../../wallet';
import type { OperationsSettings } from '../../configuration/options';
import { queryStore } from '../query-store';
import { misplaced, type RequestFields, RequestFault, shownOperator } from '../request';
import { type FilterError, readPeriod } from '../rounds/filter';
import { timeOrNull, timeText } from '../../../../platform/time/iso';

/** Changes on a page: below 100 KB also where each has the longest ids and reason. */
export const changesOnPage = 30;

/** What was changed; amounts are decimal texts, times ISO 8601 in UTC. */
export type Change =
  | {
      readonly type: 'cash';
      readonly kind: CashKind;
      readonly reference: string;
      readonly currency: string;
      readonly balance: 'real' | 'bonus';
      /** Below zero if money was taken. */
      readonly amount: string;
    }
  | { readonly type: 'block'; readonly blocked: boolean; readonly until: string | null }
  /** `amount` is null where the limit was lifted. */
  | { readonly type: 'limit'; readonly limit: LimitTerms & { readonly amount: string | null } }
  | {
      readonly type: 'repair';
      /** `approved`: whatever became of it; its round says. */
      readonly step: RepairStep;
      readonly gameRound: string;
      readonly repair: string;
      readonly kind: RepairKind;
      readonly currency: string | null;
      readonly amount: string;
    };

/** What was taken as a file: `rows` were read for it so far, and these are all if `isWhole`. */
type Taken = Omit<ExportContent, 'id'> & { readonly export: string };

interface Made {
  readonly operatorId: string;
  readonly at: string;
  readonly by: Actor;
  readonly reason: string | null;
}

/** What `person` may do from then on; `before` is null for somebody who was not known. */
type Rights = Omit<RightsContent, 'id'>;

/** A change that a person made, a file that a person took, which need not be of one player, or a change of rights. */
export type ChangeRow =
  | (Made & { readonly playerId: string } & Change)
  | (Made & { readonly playerId: string | null } & Taken)
  | (Made & { readonly playerId: null } & Rights);

/** What was done to the rights of a person, in a word. */
export function rightsAct({ may, before }: Pick<Rights, 'may' | 'before'>): string {
  if (may.length === 0) return 'removed';
  return before === null || before.length === 0 ? 'given' : 'changed';
}

/** A page of what people changed, the newest first. */
export interface ChangesView {
  readonly asOf: string;
  readonly operatorId: string;
  readonly changes: readonly ChangeRow[];
  /** The `after` of the next page; null on the last. A page may have few changes, or none, and yet have it. */
  readonly next: string | null;
  /** Changes from before are not listed; null if all are. */
  readonly since: string | null;
}

/** What the parts of a filter are called, in the order of a form. */
const filterNames = ['person', 'player', 'kind', 'from', 'to'] as const;

/** A filter of changes as a person writes it; a part that is not set is absent. */
export type ChangesFilter = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** What they are called on a page whose days are those of this zone. */
export function changesLabels(zone: string): Readonly<Record<keyof ChangesFilter, string>> {
  return {
    person: 'Person',
    player: 'Player',
    kind: 'Kind',
    from: `From, days of ${zone}`,
    to: `to, days of ${zone}`,
  };
}

/** The filter of a query; a field that is empty is not set. */
export function changesFilterIn(fields: URLSearchParams): ChangesFilter {
  const texts = filterNames.map((name) => [name, fields.get(name) ?? ''] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

/** What is read: the store, and the query of a page. */
export interface ChangesRequest
  extends RequestFields,
    Pick<OperationsSettings, 'store' | 'clock' | 'booksZone'> {}

/** A place in the changes that a query asks for. */
export interface ChangesPlace {
  readonly cursor: string | null;
  readonly limit: number;
}

/**
 * A page of an operator's changes; null if the store lists none.
 * @throws RequestFault for an operator, a filter or a place that is not valid, StoreUnavailableError.
 */
export async function viewChanges(
  request: ChangesRequest,
  { cursor, limit }: ChangesPlace = {
    cursor: request.fields.get('after') || null,
    limit: changesOnPage,
  },
): Promise<ChangesView | null> {
  const { store, clock, fields, booksZone } = request;
  const operatorId = shownOperator(request);
  const filter = queryOf(changesFilterIn(fields), booksZone);
  if (store.acts === undefined) return null;
  const query = { ...filter, limit, ...(cursor === null ? {} : { cursor }) };
  const page = await queryStore(
    clock,
    store.acts.list(operatorId, query).catch(misplaced('changes')),
  );
  return {
    asOf: timeText(clock.now()),
    operatorId,
    changes: page.acts.map((act) => rowOf(act, store.decimals)),
    next: page.next,
    since: timeOrNull(page.since),
  };
}

/** @throws RequestFault that names the field that is wrong. */
function queryOf({ person, player, kind, from, to }: ChangesFilter, zone: string): ActsQuery {
  if (person !== undefined && !isPlainText(person, 1, 128)) {
    throw new RequestFault(400, 'The id of a person must be 1 to 128 characters.', 'person');
  }
  if (player !== undefined && !isIdentifier(player)) {
    throw new RequestFault(
      400,
      "The player's id must be 1 to 128 characters, without # or control characters.",
      'player',
    );
  }
  return {
    ...(person !== undefined && { person }),
    ...(player !== undefined && { playerId: player }),
    ...(kind !== undefined && { kind: kindOf(kind) }),
    ...periodOf(from, to, zone),
  };
}

function kindOf(text: string): ActKind {
  const kind = actKinds.find((one) => one === text);
  if (kind !== undefined) return kind;
  throw new RequestFault(400, `The kind must be one of ${actKinds.join(', ')}.`, 'kind');
}

function periodOf(
  from: string | undefined,
  to: string | undefined,
  zone: string,
): Pick<ActsQuery, 'from' | 'to'> {
  const labels = changesLabels(zone);
  try {
    return readPeriod({ from, to }, zone, (name) => `"${labels[name]}"`);
  } catch (error) {
    const { message, field } = error as FilterError;
    throw new RequestFault(400, `${message}.`, field);
  }
}

function rowOf(act: PersonAct, decimals: number): ChangeRow {
  const { operatorId, by, reason } = act;
  const made = { operatorId, at: timeText(act.at), by, reason };
  if (act.type === 'export') {
    const { type, id, step, file, filter, rows, isWhole, playerId } = act;
    return { ...made, playerId, type, export: id, step, file, filter, rows, isWhole };
  }
  if (act.type === 'rights') {
    const { type, person, may, before } = act;
    return { ...made, playerId: null, type, person, may, before };
  }
  return { ...made, playerId: act.playerId, ...changeOf(act, decimals) };
}

function changeOf(act: ActContent, decimals: number): Change {
  switch (act.type) {
    case 'block': {
      const { type, blocked, until } = act;
      return { type, blocked, until: timeOrNull(until) };
    }
    case 'limit': {
      const { kind, currency, window, zone, counts, amount } = act.limit;
      const text = amount === null ? null : formatAmount(amount, decimals);
      return { type: act.type, limit: { kind, currency, window, zone, counts, amount: text } };
    }
    case 'cash': {
      const { type, kind, reference, currency, balance, units } = act;
      return { type, kind, reference, currency, balance, amount: formatAmount(units, decimals) };
    }
    case 'repair': {
      const { type, step, gameRound, repair, kind, currency } = act;
      const amount = formatAmount(act.amount, decimals);
      return { type, step, gameRound, repair, kind, currency, amount };
    }
  }
}
