import { ExactNumber, type Writable } from '../../protocol/json';
import { type ExactSum, sumExactly, writePercentage, writeSum } from './exact-sum';
import { withoutControls } from '../terminal/failure';

/** A record of getStats as received, its numbers exact (operator-api 2.4). */
export type StatisticsRow = Readonly<Record<string, Writable>>;

/** Columns that always appear, after the columns that records are grouped by. */
const known = ['DAY', 'currency', 'games', 'player', 'bet', 'win', 'RTP'];
const inEuro = ['betInEuro', 'winInEuro'];
/** Players are not summed: one who plays on two days is one player. */
const summed = ['games', 'bet', 'win', ...inEuro];

/**
 * Records as a table: a line for each, then the totals of every currency, and of all in EUR if there are
 * several currencies. Totals are exact; the RTP of a total is win / bet. No totals if the records include
 * those of the service, which would be counted twice.
 */
export function drawStatistics(rows: readonly StatisticsRow[], withTotals: boolean): string[] {
  if (rows.length === 0) return ['There are no records.'];
  const columns = columnsOf(rows);
  const body = rows.map((row) => columns.map((column) => cellOf(row[column])));
  const totals = (withTotals ? totalsOf(rows) : []).map((total) =>
    columns.map((column) => total.get(column) ?? ''),
  );
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...[...body, ...totals].map((cells) => cells[at]?.length ?? 0)),
  );
  const isText = columns.map(
    (column) => !summed.includes(column) && !/^(?:player|RTP)$/.test(column),
  );
  const draw = (cells: readonly string[]): string =>
    cells
      .map((cell, at) =>
        isText[at] ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  const below = withTotals ? [rule, ...totals.map(draw)] : [];
  return [draw(columns), rule, ...body.map(draw), ...below];
}

/** DAY first, then the other grouping columns, then the figures. */
function columnsOf(rows: readonly StatisticsRow[]): string[] {
  const present = new Set(rows.flatMap((row) => Object.keys(row)));
  const further = [...present].filter((name) => !known.includes(name) && !inEuro.includes(name));
  const [day = 'DAY', ...figures] = known;
  return [day, ...further, ...figures, ...inEuro].filter(
    (name) => present.has(name) || name === day,
  );
}

function totalsOf(rows: readonly StatisticsRow[]): ReadonlyMap<string, string>[] {
  const currencies = [...new Set(rows.map((row) => cellOf(row['currency'])))];
  const totals = currencies.map((currency) =>
    totalOf(
      rows.filter((row) => cellOf(row['currency']) === currency),
      currency,
      ['bet', 'win'],
    ),
  );
  if (currencies.length === 1) return totals;
  const all = totalOf(rows, 'all', ['betInEuro', 'winInEuro']);
  return [...totals, new Map([...all, ['bet', ''], ['win', '']])];
}

/** One line of totals; empty for a column that does not hold an amount in every row. */
function totalOf(
  rows: readonly StatisticsRow[],
  currency: string,
  [staked, paid]: readonly [string, string],
): Map<string, string> {
  const sums = new Map<string, ExactSum>();
  for (const column of summed) {
    const sum = sumExactly(rows.map((row) => cellOf(row[column])));
    if (sum !== null) sums.set(column, sum);
  }
  const total = new Map([...sums].map(([column, sum]) => [column, writeSum(sum)]));
  const [whole, part] = [sums.get(staked), sums.get(paid)];
  const rtp = whole && part ? writePercentage(part, whole) : null;
  return new Map([...total, ['DAY', 'total'], ['currency', currency], ['RTP', rtp ?? '']]);
}

/** What a cell shows: the service's text must not control the terminal. */
function cellOf(value: Writable): string {
  if (value === undefined || value === null) return '';
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'object') return '...';
  return withoutControls(String(value));
}
