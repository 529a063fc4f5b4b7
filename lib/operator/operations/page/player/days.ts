import {
  amountText,
  count,
  counted,
  type Html,
  html,
  money,
  part,
  stackedTable,
  type Tile,
} from '../../../../platform/html';
import { mirrored } from '../../../../platform/html/figure/mirrored';
import {
  mostPlayed,
  type PlayedCurrency,
  playedDays,
  type PlayedView,
} from '../../view/players/days';
import type { PlayerKey } from '../../../wallet';
import type { Reader } from '../layout';
import { linkTo } from '../links';
import { shortDay } from '../money/dates';
import { amountsOf } from '../words';

/** What the player won less what was bet in the last days, in the currency of most rounds. */
export function playedTile(played: PlayedView, reader: Reader): Tile {
  const name = `Result of ${playedDays} days`;
  const [first, ...others] = played.currencies;
  if (first === undefined) return { name, value: 'nothing', below: coverText(played, reader) };
  const rest = others.map(({ currency, result }) => [currency, result] as const);
  const more = rest.length === 0 ? null : html`${amountsOf(rest)} · `;
  const bet = html`${money(first.taken, first.currency)} bet`;
  return {
    name: html`<a href="#played">${name}</a>`,
    value: money(first.result, first.currency, 'always'),
    below: html`${more}${bet} · ${coverText(played, reader)}`,
  };
}

/** Of which rounds the figures are: those that were left out are named. */
function coverText({ rounds, ahead, since, isCut }: PlayedView, { times }: Reader): string {
  const all = counted(rounds, 'round');
  const later = ahead === 0 ? '' : `, without ${count(ahead)} of a later day: a clock is ahead`;
  if (since === null) {
    return `${rounds === 0 ? `no round in ${playedDays} days` : `of ${all}`}${later}`;
  }
  if (isCut) return `of the newest ${all}, since ${times.date(since)}${later}`;
  return `of ${all}, since ${times.date(since)}: older ones may have been deleted${later}`;
}

/** Columns of what was bet and won on each day, in the currency of most rounds; a line for each currency, if there are several. */
export function playedByDay(played: PlayedView, player: PlayerKey, reader: Reader): Html | null {
  const { currencies } = played;
  const [first] = currencies;
  if (first === undefined) return null;
  const { currency, days } = first;
  const values = (name: 'taken' | 'given') => days.map((one) => Number(one[name]));
  const texts = (name: 'taken' | 'given' | 'result') =>
    days.map((one) => amountText(one[name], currency));
  const drawn = mirrored({
    anchor: 'days',
    title: `Bet and won, ${currency}`,
    says: `${sentence(days)} A round counts on the day on which it began.`,
    of: `day of ${reader.booksZone}`,
    names: days.map(({ day }) => shortDay(day)),
    above: { name: 'bet', tone: 's1', values: values('taken'), texts: texts('taken') },
    below: { name: 'won', tone: 's2', values: values('given'), texts: texts('given') },
    also: [
      { name: 'result', texts: texts('result') },
      { name: 'rounds', texts: days.map(({ rounds }) => count(rounds)) },
    ],
    isRunning: true,
    height: 180,
    labels: 10,
  });
  const beside = html`<small>${coverText(played, reader)}, won with repairs</small>${furtherLink(played, player)}`;
  const others = currencies.length === 1 ? null : byCurrency(currencies);
  return part('played', 'Bet and won by day', beside, html`${drawn}${others}`);
}

/** To the sum of more rounds, where there are more than were read. */
function furtherLink({ isCut, rounds }: PlayedView, { operatorId, playerId }: PlayerKey) {
  if (!isCut || rounds >= mostPlayed) return null;
  const href = linkTo('player', { operator: operatorId, player: playerId, played: 'all' });
  return html` <a href="${href}#played">Sum up to ${count(mostPlayed)} rounds</a>`;
}

type Day = PlayedCurrency['days'][number];

function sentence(days: readonly Day[]): string {
  const won = days.filter(({ result }) => !/^(?:-|0$)/.test(result)).length;
  const of = counted(days.length, 'day');
  return won === 0
    ? `More was won than bet on none of ${of}.`
    : `On ${count(won)} of ${of} more was won than bet.`;
}

function byCurrency(currencies: readonly PlayedCurrency[]): Html {
  return stackedTable(
    'Bet and won by currency',
    ['currency', '#rounds', '#bet', '#won', '#result'],
    currencies.map(({ currency, rounds, taken, given, result }) => [
      currency,
      count(rounds),
      amountText(taken, currency),
      amountText(given, currency),
      amountText(result, currency, 'always'),
    ]),
    null,
    [],
    'pairs',
  );
}
