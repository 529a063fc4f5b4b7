import {
  amountText,
  type Html,
  html,
  id,
  money,
  ofTexts,
  part,
  stackedTable,
  type TableRow,
} from '../../../platform/html';
import type { SavedRound, SavedSide } from '../../reconciliation/saved/day';
import {
  type ReconciledDay,
  type ReconciliationView,
  wordOfCurrency,
} from '../view/reconciliation';
import type { PageBody, Reader } from './layout';
import { linkTo, operatorLinks, playerLink, roundLink } from './links';
import { said, signedCount } from './words';

/** Which cell is open: a day, and a currency or all. */
export interface OpenCell {
  readonly day: string | null;
  readonly currency: string | null;
}

/** Most columns of currencies. */
const mostColumns = 20;

/** Days by currency, with the rounds of the cell that is open. */
export function reconciliationPage(
  view: ReconciliationView | null,
  operators: readonly string[],
  cell: OpenCell,
  reader: Reader,
): PageBody {
  const title = 'Reconciliation';
  if (view === null) {
    return { title, body: html`<p>This store keeps no results of reconciliations.</p>` };
  }
  const { operatorId, days } = view;
  const found = new Set(days.flatMap(({ cells }) => cells.map(({ currency }) => currency)));
  const currencies = [...found].toSorted();
  const columns = currencies.slice(0, mostColumns);
  const hidden = currencies.length - columns.length;
  return {
    title,
    below: html`What <code>rgs-wallet reconcile --save</code> found, by day of the RGS, the newest first. A word leads to the rounds.`,
    body: html`${operatorLinks('reconciliation', operatorId, operators)}${hidden === 0 ? null : html`<p>${hidden} more currencies are in the JSON.</p>`}
${stackedTable(
  'Days by currency, the newest first',
  ['day', 'by', 'found', ...columns, 'saved'],
  days.map((day) => dayRow(operatorId, day, columns, reader)),
  'Nothing was saved yet.',
)}${cell.day === null ? null : days.filter(({ day }) => day === cell.day).map((day) => opened(operatorId, day, cell.currency))}`,
  };
}

function dayRow(
  operator: string,
  found: ReconciledDay,
  columns: readonly string[],
  { times }: Reader,
): TableRow {
  const { day, source, word, reason, cells, savedAt } = found;
  const link = (text: string, currency?: string): Html =>
    wordLink(text, linkTo('reconciliation', { operator, day, ...(currency && { currency }) }));
  return [
    day,
    sources[source],
    html`${link(word)}${reason === null ? null : html` <span class="dim">${said(reason)}</span>`}`,
    ...columns.map((currency) => {
      const of = wordOfCurrency(found, currency);
      return cells.some((one) => one.currency === currency) ? link(of, currency) : of;
    }),
    times.time(savedAt),
  ];
}

const sources = { statistics: 'getStats', export: 'export' } as const;

function wordLink(word: string, href: string): Html {
  if (word === 'equal') return html`${word}`;
  return html`<a${word === 'differs' ? html` class="bad"` : null} href="${href}">${word}</a>`;
}

/** The sums and the rounds of a day, of one currency or of all. */
function opened(operatorId: string, found: ReconciledDay, currency: string | null): Html {
  const { day, source, counting, cells, rounds, kinds, leftOut } = found;
  const isShown = (one: { readonly currency: string }): boolean =>
    currency === null || one.currency === currency;
  const counts = Object.entries(kinds).map(([kind, number]) => `${kind}: ${number}`);
  const heading = `${day}${currency === null ? '' : ` ${currency}`}, by ${sources[source]}`;
  return part(
    `rounds-${source}`,
    heading,
    html`<a href="${linkTo('money', { operator: operatorId, day, ...(currency !== null && { currency }) })}">Money of this day</a>`,
    html`${counting === null ? null : html`<p>Counted in ${id(counting)}. Sums are what the wallet has more than the RGS.</p>`}
${counts.length === 0 ? null : html`<p>Of the whole day: ${id(counts.join(', '))}.</p>`}
${stackedTable(
  `Sums that differ, ${heading}`,
  ['currency', '#games', '#bet', '#win'],
  cells
    .filter((one) => isShown(one) && one.word !== 'equal')
    .map(({ currency: name, games, bet, win }) => [
      id(name),
      signedCount(games),
      amountText(bet, name, 'always'),
      amountText(win, name, 'always'),
    ]),
  'No sums differ.',
)}
${ofTexts(
  stackedTable(
    `Rounds, ${heading}`,
    ['round', 'player', 'what', 'why', 'here', 'there'],
    rounds.filter(isShown).map((round) => roundRow(operatorId, round)),
    'No round is named.',
  ),
)}${leftOut === 0 ? null : html`<p>Of the whole day ${leftOut} more are not listed: run <code>rgs-wallet reconcile</code> for them.</p>`}`,
  );
}

function roundRow(operatorId: string, one: SavedRound): TableRow {
  const { round: gameRound, player: playerId, kind, reason, ours, theirs } = one;
  const key = playerId === null ? null : { operatorId, playerId, gameRound };
  return [
    key === null ? id(gameRound) : roundLink(key),
    key === null ? null : playerLink(key),
    id(kind),
    reason === null ? null : said(reason),
    sideText(ours),
    sideText(theirs),
  ];
}

function sideText(side: SavedSide | null): Html | null {
  if (side === null) return null;
  const { currency, bet, win, state } = side;
  return html`<span>bet ${amountText(bet, currency)}, win ${money(win, currency)}${state === null ? null : html` (${id(state)})`}</span>`;
}
