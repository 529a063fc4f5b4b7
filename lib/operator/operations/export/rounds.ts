import { csvText } from '../../reconciliation/by-round/csv';
import type { RoundSummary } from '../../wallet';
import type { ExportRequest } from './acts';
import { filterIn } from '../view/rounds/filter';
import { filterOf } from '../view/rounds/list';
import { misplaced, playerOf, RequestFault } from '../view/request';
import { queryStore } from '../view/query-store';
import {
  csvHead,
  type ExportedFile,
  type ExportForm,
  type ExportKind,
  fileOf,
  pageSize,
} from './form';
import { roundJson } from './round-json';
import { printableJson, withoutControls } from '../../../protocol/json/printable';

/** The columns of a round. */
export const roundColumns = [
  'openedAt',
  'lastAt',
  'operatorId',
  'playerId',
  'gameRound',
  'gameCode',
  'state',
  'stateSince',
  'currency',
  'debitsReal',
  'debitsBonus',
  'creditsReal',
  'creditsBonus',
  'otherCredits',
];

/** How rounds are written; amounts have the decimals of the store. */
export function roundsForm(kind: ExportKind, decimals: number): ExportForm<RoundSummary> {
  return kind === 'csv'
    ? { head: csvHead(roundColumns), row: (round) => `${cellsOf(round, decimals).join(',')}\r\n` }
    : {
        head: '',
        row: (round) => `${printableJson(JSON.stringify(roundJson(round, decimals)))}\n`,
      };
}

/** The cells of these columns. */
export function cellsOf(round: RoundSummary, decimals: number): string[] {
  const json = roundJson(round, decimals);
  const { debits, credits, otherCredits = [] } = json;
  const others = otherCredits.map(({ currency, real, bonus }) =>
    bonus === '0' ? `${real} ${currency}` : `${real} and bonus ${bonus} ${currency}`,
  );
  return [
    json.openedAt,
    json.lastAt,
    cell(json.operatorId),
    cell(json.playerId),
    cell(json.gameRound),
    cell(json.gameCode),
    json.state,
    json.stateSince,
    cell(json.currency),
    // Amounts, as this program writes them: they stay numbers, below zero too.
    debits.real,
    debits.bonus,
    credits.real,
    credits.bonus,
    cell(others.join(' and ')),
  ];
}

/** A text of others as a cell. A file may be shown by a terminal, too. */
export function cell(one: string | null): string {
  return csvText(withoutControls(one ?? ''));
}

/**
 * The rounds of a player that a filter asks for, the newest first.
 * @throws RequestFault for a filter or a place that is not valid, and where the store lists no rounds; StoreUnavailableError.
 */
export function exportRounds(request: ExportRequest, kind: ExportKind): Promise<ExportedFile> {
  const { store, clock, fields } = request;
  const player = playerOf(request);
  const texts = filterIn(fields);
  const filter = filterOf(texts, request);
  const read = async (from: string | null) => {
    const { history } = store;
    const query = { ...filter, limit: pageSize, ...(from === null ? {} : { cursor: from }) };
    const page =
      history === undefined
        ? ({ kind: 'off' } as const)
        : await queryStore(clock, history.rounds(player, query).catch(misplaced('rounds')));
    if (page.kind === 'off') throw new RequestFault(501, 'This store does not list rounds.');
    return { rows: page.rounds, next: page.next };
  };
  const taken = { ...player, filter: texts };
  const list = { form: roundsForm(kind, store.decimals), cursor: fields.get('after') || null };
  return fileOf(request, 'rounds', kind, { ...list, read, taken });
}
