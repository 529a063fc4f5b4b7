import { csvText } from '../../reconciliation/by-round/csv';
import type { PlayerKey, RoundsQuery, RoundSummary } from '../../wallet';
import type { OperationsSettings } from '../configuration/options';
import { misplaced, RequestFault } from '../view/request';
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

const columns = [
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
    ? { head: csvHead(columns), row: (round) => `${cellsOf(round, decimals).join(',')}\r\n` }
    : {
        head: '',
        row: (round) => `${printableJson(JSON.stringify(roundJson(round, decimals)))}\n`,
      };
}

function cellsOf(round: RoundSummary, decimals: number): string[] {
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

/** A file may be shown by a terminal, too. */
function cell(one: string | null): string {
  return csvText(withoutControls(one ?? ''));
}

/**
 * The rounds of a player that a filter asks for, the newest first.
 * @throws RequestFault for a place that is not valid, and where the store lists no rounds; StoreUnavailableError.
 */
export async function exportRounds(
  { store, clock }: OperationsSettings,
  player: PlayerKey,
  filter: Omit<RoundsQuery, 'cursor' | 'limit'>,
  cursor: string | null,
  kind: ExportKind,
): Promise<ExportedFile> {
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
  const first = await read(cursor);
  return fileOf('rounds', kind, roundsForm(kind, store.decimals), { first, read, clock });
}
