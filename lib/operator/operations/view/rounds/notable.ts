import { piecesOf } from '../../../../platform/pieces';
import { isIdentifier } from '../../../../protocol/identifiers';
import {
  createRoundSummary,
  type NotableKind,
  notableKinds,
  type NotablePlace,
  type NotableQuery,
  type RoundKey,
  type RoundSummary,
  type Totals,
} from '../../../wallet';
import type { OperationsSettings } from '../../configuration/options';
import { countedOf } from '../money/counted';
import { queryStore } from '../query-store';
import { RequestFault } from '../request';
import { filterIn } from './filter';
import { filterOf, rowOf, type RoundRow } from './list';

/** A notable round, as it is now. */
export interface NotableRow extends RoundKey {
  /** When it began: ISO 8601, UTC. */
  readonly beganAt: string;
  /** Null if the store has deleted it since. */
  readonly round: RoundRow | null;
}

/** The notable rounds of a kind, of all players. */
export interface NotableView {
  readonly kind: NotableKind;
  /** `off`: nobody keeps totals. `empty`: nothing is counted yet. `missing`: the store cannot keep any. */
  readonly totals: 'on' | 'off' | 'empty' | 'missing';
  /** From when on all events are counted, ISO 8601 in UTC; null where none are. */
  readonly since: string | null;
  /** When the oldest event that waits to be counted was committed; null without any. */
  readonly countedUntil: string | null;
  /** Those that began last first. */
  readonly rounds: readonly NotableRow[];
  /** The `rounds` of the next page; null on the last. */
  readonly next: string | null;
}

/** Rounds on a page, and rounds whose records are read at once. */
const [roundsOnPage, readAtOnce] = [20, 20];

/** What is read: the store, and the query of a page. */
export type NotableRequest = Pick<OperationsSettings, 'store' | 'clock' | 'booksZone'> & {
  readonly fields: URLSearchParams;
};

/** @throws RequestFault for a kind, a period or a place that is not valid; StoreUnavailableError. */
export async function viewNotable(
  request: NotableRequest,
  operatorId: string,
): Promise<NotableView> {
  const { store, clock, fields } = request;
  const query = notableQuery(request);
  const { kind } = query;
  const cursor = fields.get('rounds') || null;
  placeOf(cursor);
  const nothing = { kind, since: null, countedUntil: null, rounds: [], next: null };
  const { totals, events } = store;
  if (totals === undefined || events === undefined) return { ...nothing, totals: 'missing' };
  const counted = await countedOf({ clock, totals, events }, operatorId);
  if (typeof counted === 'string') return { ...nothing, totals: counted };
  const page = await readNotable({ store, clock, totals }, operatorId, {
    ...query,
    cursor,
    limit: roundsOnPage,
  });
  return {
    kind,
    totals: 'on',
    since: new Date(counted.since).toISOString(),
    countedUntil: counted.until === null ? null : new Date(counted.until).toISOString(),
    rounds: page.rows.map(({ round, ...row }) => ({
      ...row,
      round: round === null ? null : rowOf(round, store.decimals),
    })),
    next: page.next,
  };
}

/** The kind and the period that a query asks for. @throws RequestFault */
export function notableQuery(request: NotableRequest): Pick<NotableQuery, 'kind' | 'from' | 'to'> {
  const kind = notableKinds.find((one) => one === request.fields.get('kind'));
  if (kind === undefined) {
    throw new RequestFault(400, `The kind must be one of ${notableKinds.join(', ')}.`, 'kind');
  }
  const { from, to } = filterOf(filterIn(request.fields), request);
  return { kind, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** A notable round as the store has it now; null if it has deleted it since. */
export interface KeptNotable extends Omit<NotableRow, 'round'> {
  readonly round: RoundSummary | null;
}

/**
 * Notable rounds from a place on; `limit` is below the most that a store gives at once.
 * @throws RequestFault for a place that is not valid; StoreUnavailableError.
 */
export async function readNotable(
  ports: Pick<OperationsSettings, 'store' | 'clock'> & { readonly totals: Totals },
  operatorId: string,
  { cursor, ...query }: Omit<NotableQuery, 'after'> & { readonly cursor: string | null },
): Promise<{ readonly rows: readonly KeptNotable[]; readonly next: string | null }> {
  const { store, clock, totals } = ports;
  const after = placeOf(cursor);
  const { limit } = query;
  const asked = { ...query, limit: limit + 1, ...(after !== null && { after }) };
  const places = await queryStore(clock, totals.notable(operatorId, asked));
  const shown = places.slice(0, limit);
  const rows: KeptNotable[] = [];
  // A few at once: calls of money share the connections.
  for (const piece of piecesOf(shown, readAtOnce)) {
    const read = piece.map(async ({ at, ...place }): Promise<KeptNotable> => {
      const key = { operatorId, ...place };
      const report = await store.rounds.readRound(key);
      const round = report === null ? null : createRoundSummary(key, report);
      return { ...key, beganAt: new Date(at).toISOString(), round };
    });
    rows.push(...(await queryStore(clock, Promise.all(read))));
  }
  const last = shown.at(-1);
  return { rows, next: places.length > limit && last !== undefined ? placeText(last) : null };
}

/** A place as one word: a file names it on its last line. */
function placeText({ at, playerId, gameRound }: NotablePlace): string {
  return Buffer.from(JSON.stringify([at, playerId, gameRound])).toString('base64url');
}

/** @throws RequestFault */
function placeOf(text: string | null): NotablePlace | null {
  if (text === null) return null;
  try {
    const [at, playerId, gameRound] = JSON.parse(
      Buffer.from(text, 'base64url').toString('utf8'),
    ) as unknown[];
    if (Number.isSafeInteger(at) && isIdentifier(playerId) && isIdentifier(gameRound)) {
      return { at: at as number, playerId, gameRound };
    }
  } catch {
    // Not a place of this page.
  }
  throw new RequestFault(400, 'The place in the rounds is not valid: begin at the first page.');
}
