import { amountText } from '../../platform/html';
import { ExactNumber, type Writable } from '../../protocol/json/write';
import { isAmountText, shortestForm } from '../../protocol/money/amount';
import { withoutControls } from '../../protocol/json/printable';

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
  const body = rows.map((row) =>
    columns.map((column) => shown(column, cellOf(row[column]), cellOf(row['currency']))),
  );
  const totals = (withTotals ? totalsOf(rows) : []).map((total) =>
    columns.map((column) => shown(column, total.get(column) ?? '', total.get('currency') ?? '')),
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

/** Money as on the pages, in the currency of its row or in EUR. */
function shown(column: string, text: string, currency: string): string {
  if (inEuro.includes(column)) return amountText(text, 'EUR');
  return column === 'bet' || column === 'win' ? amountText(text, currency) : text;
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

/** An exact sum of decimal texts: `units` of 10^-`scale`. No float is involved. */
export interface ExactSum {
  readonly units: bigint;
  readonly scale: number;
  /** The most decimals of any summed text, so that the sum is written alike. */
  readonly decimals: number;
}

/** The sum of decimal texts, whose decimals may differ; null if one of them is not a decimal text. */
export function sumExactly(texts: readonly string[]): ExactSum | null {
  if (!texts.every(isAmountText)) return null;
  const shortest = texts.map(shortestForm);
  const scale = Math.max(0, ...shortest.map(decimalsOf));
  const units = shortest.reduce((sum, text) => sum + unitsOf(text, scale), 0n);
  return { units, scale, decimals: Math.max(scale, ...texts.map(decimalsOf)) };
}

/** The sum as a decimal text, with as many decimals as the longest summed text. */
export function writeSum({ units, scale, decimals }: ExactSum): string {
  return writeUnits(units * 10n ** BigInt(decimals - scale), decimals);
}

/**
 * `part` as a percentage of `whole`: a text with two decimals, half rounded up; null if `whole` is not
 * above 0 or `part` is below 0.
 */
export function writePercentage(part: ExactSum, whole: ExactSum): string | null {
  if (whole.units <= 0n || part.units < 0n) return null;
  const numerator = part.units * 10n ** BigInt(whole.scale) * 10_000n;
  const denominator = whole.units * 10n ** BigInt(part.scale);
  return writeUnits((2n * numerator + denominator) / (2n * denominator), 2);
}

function writeUnits(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function unitsOf(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

function decimalsOf(text: string): number {
  return /^-?\d+\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
}
