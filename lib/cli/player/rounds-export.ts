import { csvText } from '../../operator/reconciliation/by-round/csv';
import type { PlayerKey, RoundsQuery, RoundSummary, WalletStore } from '../../operator/wallet';
import { safeJson } from '../archive/query-flags';
import { givenText, noHistory } from '../rounds/text';
import { messageOf, withoutControls } from '../terminal/failure';
import { roundJson } from './round-json';

/** How an export is written. Its last line says that it is whole: a file without it was cut. */
interface ExportForm {
  readonly head: string;
  readonly row: (round: RoundSummary, decimals: number) => string;
  readonly end: (rows: number) => string;
}

/** The most that a store gives at once. */
const pageSize = 200;

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

const forms: Readonly<Record<'csv' | 'jsonl', ExportForm>> = {
  // The mark at the beginning is how a spreadsheet knows UTF-8.
  csv: {
    head: `\ufeff${columns.join(',')}\r\n`,
    row: (round, decimals) => `${cellsOf(round, decimals).join(',')}\r\n`,
    end: (rows) => `end,${rows},complete\r\n`,
  },
  jsonl: {
    head: '',
    row: (round, decimals) => `${safeJson(JSON.stringify(roundJson(round, decimals)))}\n`,
    end: (rows) => `${JSON.stringify({ end: { rows, complete: true } })}\n`,
  },
};

function cellsOf(round: RoundSummary, decimals: number): string[] {
  const json = roundJson(round, decimals);
  const { debits, credits, otherCredits } = json;
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
    cell(givenText({ currency: null, credits, ...(otherCredits && { otherCredits }) })),
  ];
}

function cell(one: string | null): string {
  return csvText(withoutControls(one ?? ''));
}

/**
 * Writes all rounds that fit, the newest first, a page at a time. Returns how many there are.
 * @param write Resolves once the text is handed over, so that a slow reader holds no page back in memory.
 * @throws Error if the store lists no rounds, or does not answer: then the end is missing.
 */
export async function exportRounds(
  store: WalletStore,
  player: PlayerKey,
  filter: RoundsQuery,
  form: 'csv' | 'jsonl',
  write: (text: string) => Promise<void> = writeOut,
): Promise<number> {
  const { head, row, end } = forms[form];
  let rows = 0;
  for (let cursor: string | null = null; ; ) {
    const place: RoundsQuery = cursor === null ? {} : { cursor };
    const query = { ...filter, limit: pageSize, ...place };
    const page = (await store.history?.rounds(player, query)) ?? { kind: 'off' as const };
    if (page.kind === 'off') throw new Error(noHistory);
    if (page.kind === 'unknown') throw cutAfter(rows, page.cause);
    if (cursor === null) await write(head);
    await write(page.rounds.map((round) => row(round, store.decimals)).join(''));
    rows += page.rounds.length;
    cursor = page.next;
    if (cursor === null) break;
  }
  await write(end(rows));
  return rows;
}

function cutAfter(rows: number, cause: Error): Error {
  return new Error(
    `The store did not answer, after ${rows} rounds: the export is cut and has no end line. ${messageOf(cause)}`,
  );
}

function writeOut(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}
