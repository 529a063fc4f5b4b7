import {
  amountText,
  badge,
  count,
  counted,
  type Html,
  html,
  id,
  money,
  ofTexts,
  part,
  stackedTable,
  type TableRow,
  type Verdict,
  verdict,
} from '../../../../platform/html';
import { daysBetween } from '../../../../platform/time/zone-days';
import type { SavedRound, SavedSide } from '../../../reconciliation/saved/day';
import {
  type ReconciledDay,
  type ReconciliationView,
  wordOfCurrency,
} from '../../view/reconciliation';
import type { PageBody, Reader } from '../layout';
import { linkTo, operatorLinks, playerLink, roundLink } from '../links';
import { said, signedCount } from '../words';
import { shortDay } from './dates';
import { differenceOf, explained } from './verdict';

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
    const text = html`<code>rgs-wallet reconcile</code> compares without keeping what it found.`;
    const missing = { title: 'This store keeps no results of reconciliations', text };
    return { title, body: verdict({ tone: 'note', ...missing }) };
  }
  const { operatorId, days } = view;
  const found = new Set(days.flatMap(({ cells }) => cells.map(({ currency }) => currency)));
  const currencies = [...found].toSorted();
  const columns = currencies.slice(0, mostColumns);
  const hidden = currencies.length - columns.length;
  return {
    title,
    below: html`What <code>rgs-wallet reconcile --save</code> found, by day of the RGS, the newest first. A word leads to the rounds.`,
    body: html`${verdict(comparedVerdict(view))}${operatorLinks('reconciliation', operatorId, operators)}${
      days.length === 0
        ? null
        : html`${hidden === 0 ? null : html`<p>${hidden} more currencies are in the JSON.</p>`}
${stackedTable(
  'Days by currency, the newest first',
  ['day', 'by', 'found', ...columns, 'saved'],
  days.map((day) => dayRow(operatorId, day, columns, reader)),
  null,
)}`
    }${cell.day === null ? null : days.filter(({ day }) => day === cell.day).map((day) => opened(operatorId, day, cell.currency))}`,
  };
}

/** The newest day that was compared should have ended no longer ago, in milliseconds: the alert of late reconciliations has the same. */
const lateMs = 36 * 3_600_000;

/** Days that are named in a sentence. */
const mostNamed = 3;

/** Whether the days that were saved agree with the RGS; of those that do not, by how much and why. */
function comparedVerdict({ operatorId, days, asOf }: ReconciliationView): Verdict {
  const [newest] = days;
  if (newest === undefined) {
    const text = html`<code>rgs-wallet reconcile --save</code> compares a day, and this page says what was found.`;
    return { tone: 'note', title: 'No day was compared with the RGS', text };
  }
  const differing = days.filter(({ word }) => word === 'differs');
  const [only, ...others] = differing;
  if (only !== undefined) {
    const named = differing.slice(0, mostNamed).map((one) => differenceText(operatorId, one));
    const more = differing.length - named.length;
    const rest = others.length === 0 ? explained(operatorId, notTolerated(only)) : null;
    const text = html`${named}${rest}${more === 0 ? null : `${count(more)} more below.`}`;
    return {
      tone: 'warn',
      title: `${daysText(differing, 'differs', 'differ')} from the RGS`,
      text,
    };
  }
  const open = days.filter(({ word }) => word === 'incomplete' || word === 'unknown');
  const [unknown] = open;
  if (unknown !== undefined) {
    const { day, reason } = unknown;
    const why = reason === null ? null : html` ${shortDay(day)}: ${said(reason)}.`;
    const title = `Whether ${daysText(open, 'agrees', 'agree')} with the RGS is not known`;
    return { tone: 'warn', title, text: html`${why} Compare again once the reason is gone.` };
  }
  return agreement(newest, days, asOf);
}

/** A day without the rounds of what is tolerated. */
function notTolerated({ rounds, cells, counting }: ReconciledDay) {
  const tolerated = new Set(
    cells.filter(({ word }) => word === 'tolerated').map(({ currency }) => currency),
  );
  return { counting, rounds: rounds.filter(({ currency }) => !tolerated.has(currency)) };
}

/** That all days agree, and which were not compared. */
function agreement(newest: ReconciledDay, days: readonly ReconciledDay[], asOf: string): Verdict {
  const compared = new Set(days.map(({ day }) => day));
  const gaps = daysBetween(days.at(-1)?.day ?? newest.day, newest.day).length - compared.size;
  const isTolerated = days.some(({ cells }) => cells.some(({ word }) => word === 'tolerated'));
  const title = `${daysText(days, 'agrees', 'agree')} with the RGS${isTolerated ? ' but for what is tolerated' : ''}`;
  const last = `The newest that was compared is ${shortDay(newest.day)}.`;
  const isLate = Date.parse(asOf) - Date.parse(newest.endedAt ?? asOf) > lateMs;
  if (gaps === 0 && !isLate) return { tone: 'good', title, text: last };
  const missing =
    gaps === 0
      ? null
      : ` ${counted(gaps, 'day')} before it ${gaps === 1 ? 'was' : 'were'} not compared.`;
  const text = html`${last}${missing} Look at the output of the nightly <code>rgs-wallet reconcile --save</code>.`;
  return { tone: 'warn', title, text };
}

/** `30 Dec differs` of one day, `3 days differ` of several. */
function daysText(found: readonly ReconciledDay[], one: string, several: string): string {
  const days = new Set(found.map(({ day }) => day));
  const [first = ''] = days;
  return days.size === 1 ? `${shortDay(first)} ${one}` : `${counted(days.size, 'day')} ${several}`;
}

/** What the wallet has more or less on a day; what was found where no sums differ. */
function differenceText(operatorId: string, found: ReconciledDay): Html {
  const { day, source, cells, kinds } = found;
  const differing = cells.filter(({ word }) => word === 'differs');
  const sums = differing
    .slice(0, mostNamed)
    .map((one, at) => html`${at === 0 ? 'here ' : '; '}${differenceOf(one, one.currency)}`);
  const hidden = differing.length - sums.length;
  const what = sums.length === 0 ? said(kindsText(kinds) || 'what differs is below') : sums;
  const link = linkTo('reconciliation', { operator: operatorId, day });
  return html`<a href="${link}#rounds-${source}">${shortDay(day)}</a>: ${what}${hidden === 0 ? null : `; ${count(hidden)} more currencies`}. `;
}

function kindsText(kinds: ReconciledDay['kinds']): string {
  return Object.entries(kinds)
    .map(([kind, number]) => `${kind}: ${number}`)
    .join(', ');
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
  return html`<a href="${href}">${badge(word === 'differs' ? 'warn' : 'plain', word)}</a>`;
}

/** The sums and the rounds of a day, of one currency or of all. */
function opened(operatorId: string, found: ReconciledDay, currency: string | null): Html {
  const { day, source, counting, cells, rounds, kinds, leftOut } = found;
  const isShown = (one: { readonly currency: string }): boolean =>
    currency === null || one.currency === currency;
  const counts = kindsText(kinds);
  const heading = `${day}${currency === null ? '' : ` ${currency}`}, by ${sources[source]}`;
  return part(
    `rounds-${source}`,
    heading,
    html`<a href="${linkTo('money', { operator: operatorId, day, ...(currency !== null && { currency }) })}">Money of this day</a>`,
    html`${counting === null ? null : html`<p>Counted in ${id(counting)}. Sums are what the wallet has more than the RGS.</p>`}
${counts === '' ? null : html`<p>Of the whole day: ${said(counts)}.</p>`}
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
