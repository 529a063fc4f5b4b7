import {
  amountText,
  count,
  type Html,
  html,
  id,
  part,
  stackedTable,
  type TableRow,
} from '../../../../platform/html';
import { cellBar } from '../../../../platform/html/figure/cell-bar';
import { mirrored } from '../../../../platform/html/figure/mirrored';
import type { MoneyFigures, MoneyPart, MoneySums } from '../../view/money/sums';
import type { MoneyPeriodView } from '../../view/money/read';
import { shortDay, weekdayOf } from './dates';

/** Most games in the table. */
const mostGames = 50;

/** A line of the statement: what it adds to the accounts. */
type Line = readonly [name: string, tone: 's1' | 's2' | 's3' | 's4', amount: string];

/** What was added to the accounts, line by line: each bar begins where the one before it ended. */
export function statement(figures: MoneyFigures, currency: string): Html {
  const lines: readonly Line[] = [
    ['Openings and deposits', 's4', figures.cashIn],
    ['Withdrawals', 's4', negative(figures.cashOut)],
    ['Corrections by people', 's3', figures.corrected],
    ['Taken by rounds', 's1', negative(figures.taken)],
    ['Given by rounds', 's2', figures.won],
    ['Repairs by people', 's3', figures.repaired],
  ];
  const ends = [0];
  for (const [, , amount] of lines) ends.push((ends.at(-1) ?? 0) + Number(amount));
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const placeOf = (value: number): number =>
    most === least ? 0 : (value - least) / (most - least);
  const amountOf = (amount: string): string => amountText(amount, currency, 'always');
  const rows = lines.map(([name, tone, amount], at): TableRow => {
    const [from = 0, to = 0] = ends.slice(at, at + 2);
    return [name, cellBar(placeOf(from), placeOf(to), tone), amountOf(amount)];
  });
  const sum = cellBar(placeOf(0), placeOf(Number(figures.added)), 's3');
  const drawn = stackedTable(
    'Statement',
    ['line', '~picture', `#${currency}`],
    rows,
    null,
    [['Added to the accounts', sum, amountOf(figures.added)]],
    'two',
  );
  const said = html`<small>what the accounts gained and lost</small>`;
  return part(
    'statement',
    'Statement',
    said,
    html`${drawn}<p class="dim"><small>A round counts in the quarter of an hour in which it began, whole; cash and repairs at their own time. Over all days since the first account, these lines add up to what the accounts hold: <code>rgs-wallet books --check</code> compares each of them. Balances at midnight are not kept, so none are shown.</small></p>`,
  );
}

function negative(amount: string): string {
  if (amount === '0') return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/** Columns of the hours of a day, or of the days of a longer period. */
export function byPart(view: MoneyPeriodView, figures: MoneyFigures, currency: string): Html {
  const { parts } = figures;
  const [title, of] = view.span === 'day' ? ['By the hour', 'hour'] : ['By the day', 'day'];
  const texts = (name: keyof MoneySums): string[] =>
    parts.map((one) => {
      const value = one[name];
      return typeof value === 'number' ? count(value) : amountText(value, currency);
    });
  const values = (name: 'taken' | 'given'): number[] => parts.map((one) => Number(one[name]));
  const drawn = mirrored({
    anchor: 'parts',
    title: 'Taken and given',
    says: sentence(parts, view.span),
    of,
    names: parts.map(({ name }) => nameOf(view.span, name)),
    above: { name: 'taken', tone: 's1', values: values('taken'), texts: texts('taken') },
    below: { name: 'given', tone: 's2', values: values('given'), texts: texts('given') },
    also: [
      { name: 'kept', texts: texts('kept') },
      { name: 'rounds', texts: texts('rounds') },
    ],
    isRunning: view.lacks.includes('running'),
    height: 220,
    labels: 12,
  });
  return part('by-part', title, null, drawn);
}

function nameOf(span: MoneyPeriodView['span'], name: string): string {
  if (span === 'day') return name;
  return span === 'week' ? weekdayOf(name) : String(Number(name.slice(-2)));
}

/** Reads the picture: when more was given than taken. */
function sentence(parts: readonly MoneyPart[], span: MoneyPeriodView['span']): string {
  const lost = parts.filter(({ kept }) => kept.startsWith('-'));
  const [first] = lost;
  const of = span === 'day' ? 'hour' : 'day';
  if (first === undefined) return `In no ${of} more was given than taken.`;
  if (lost.length > 1)
    return `In ${lost.length} ${of}s of ${parts.length} more was given than taken.`;
  const name = span === 'day' ? `the hour from ${first.name}:00` : shortDay(first.name);
  return `On${span === 'day' ? 'ly in' : ''} ${name} more was given than taken.`;
}

/** The games, those that took most first. */
export function byGame({ games, ...all }: MoneyFigures, currency: string): Html {
  const amount = (text: string): string => amountText(text, currency);
  const whole = Number(all.taken);
  const cells = (one: MoneySums & { readonly returned: string | null }): TableRow => [
    count(one.rounds),
    amount(one.taken),
    amount(one.given),
    one.returned === null ? '\u2013' : Number(one.returned).toFixed(1),
  ];
  const rows = games
    .slice(0, mostGames)
    .map((one) => [
      one.gameCode === null ? 'not known' : id(one.gameCode),
      cellBar(0, whole === 0 ? 0 : Number(one.taken) / whole, 's1'),
      ...cells(one),
    ]);
  const hidden = games.length - rows.length;
  const columns = ['game', '~share of taken', '#rounds', '#taken', '#given', '#returned, %'];
  const drawn = stackedTable(
    'By game',
    columns,
    rows,
    'No round counts here.',
    [['All games', null, ...cells(all)]],
    'pairs',
  );
  const more = hidden === 0 ? null : html` · ${count(hidden)} more games are in the JSON`;
  return part(
    'games',
    'By game',
    html`<small>given includes repairs, in ${currency}${more}</small>`,
    drawn,
  );
}
