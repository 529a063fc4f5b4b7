import { printableJson } from '../../../protocol/json/printable';
import { mostNotable } from '../../wallet';
import type { ExportRequest } from './acts';
import { countedOf } from '../view/money/counted';
import { forgetReads } from '../view/query-store';
import { type KeptNotable, notableQuery, readNotable } from '../view/rounds/notable';
import { RequestFault, shownOperator } from '../view/request';
import { csvHead, type ExportedFile, type ExportForm, type ExportKind, fileOf } from './form';
import { roundJson } from './round-json';
import { cell, cellsOf, roundColumns } from './rounds';

/** How notable rounds are written: when each began, and as it is now. One that was deleted since has its ids alone. */
function formOf(kind: ExportKind, decimals: number): ExportForm<KeptNotable> {
  if (kind === 'csv') {
    const row = (one: KeptNotable): string =>
      `${[one.beganAt, ...roundCells(one, decimals)].join(',')}\r\n`;
    return { head: csvHead(['beganAt', ...roundColumns]), row };
  }
  const row = ({ round, ...one }: KeptNotable): string => {
    const now = round === null ? null : roundJson(round, decimals);
    return `${printableJson(JSON.stringify({ ...one, round: now }))}\n`;
  };
  return { head: '', row };
}

function roundCells(one: KeptNotable, decimals: number): string[] {
  if (one.round !== null) return cellsOf(one.round, decimals);
  const { operatorId, playerId, gameRound } = one;
  const ids: Readonly<Record<string, string>> = { operatorId, playerId, gameRound };
  return roundColumns.map((name) => cell(ids[name] ?? null));
}

/**
 * The notable rounds of a kind that began in a period, the latest first.
 * @throws RequestFault for a kind, a period or a place that is not valid, and where none are kept; StoreUnavailableError.
 */
export async function exportNotable(
  request: ExportRequest,
  kind: ExportKind,
): Promise<ExportedFile> {
  const { store, clock, fields } = request;
  const { totals, events } = store;
  const operatorId = shownOperator(request);
  const query = notableQuery(request);
  if (totals === undefined || events === undefined) throw notKept();
  const asOf = clock.now();
  // The file says until when all is counted: not what was known some seconds ago.
  forgetReads(events);
  const counted = await countedOf({ clock, totals, events }, operatorId);
  // A file without rows must not look whole where nobody lists any.
  if (typeof counted === 'string') throw notKept();
  const until = Math.min(asOf, counted.until ?? asOf);
  const of = {
    since: new Date(counted.since).toISOString(),
    countedUntil: new Date(until).toISOString(),
  };
  const read = async (cursor: string | null) => {
    const asked = { ...query, cursor, limit: mostNotable - 1 };
    return readNotable({ store, clock, totals }, operatorId, asked);
  };
  const named = ['kind', 'from', 'to'].map((name) => [name, fields.get(name) ?? ''] as const);
  const filter = Object.fromEntries(named.filter(([, text]) => text !== ''));
  const list = { form: formOf(kind, store.decimals), cursor: fields.get('after') || null };
  const taken = { operatorId, playerId: null, filter };
  return fileOf(request, 'notable', kind, { ...list, read, taken, of });
}

function notKept(): RequestFault {
  return new RequestFault(501, 'No notable round is listed: serve --totals has counted nothing.');
}
