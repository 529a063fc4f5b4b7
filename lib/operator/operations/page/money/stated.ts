import {
  amountText,
  badge,
  count,
  type Html,
  html,
  type HtmlPart,
  id,
  part,
  stackedTable,
  type TableRow,
} from '../../../../platform/html';
import type { SavedSums } from '../../../reconciliation/saved/day';
import type { MoneyPeriodView } from '../../view/money/read';
import type { ComparedDay } from '../../view/reconciliation';
import type { Reader } from '../layout';
import { said, signedCount } from '../words';
import { shortDay } from './dates';

/** A day for which the RGS stated its figures. */
type StatedDay = ComparedDay & { readonly stated: SavedSums };

/** A game, or a day. */
type Stated = Pick<StatedDay, 'games' | 'bet' | 'win' | 'stated'>;

/** What the RGS stated of the period, and where the wallet has more: of a day by game, of a longer period by day. */
export function stated(view: MoneyPeriodView, currency: string, reader: Reader): Html {
  const days = view.compared.filter((one): one is StatedDay => one.stated !== null);
  const [first] = days;
  if (first === undefined) return notStated(view, reader);
  const isDay = view.span === 'day';
  const rows = isDay
    ? first.byGame.map((one) => lineOf(id(one.game), one, currency))
    : days.map((one) => lineOf(shortDay(one.day), one, currency));
  const all = lineOf('All games', first, currency);
  const midnight = days.flatMap((one) =>
    one.midnight === null ? [] : [midnightLine(one, one.midnight, isDay, currency)],
  );
  const totals = isDay && rows.length > 0 ? [all, ...midnight] : midnight;
  const columns = [isDay ? 'game' : 'day', '#RGS: rounds', '#RGS: taken', '#RGS: given'];
  const drawn = stackedTable(
    'The figures of the RGS',
    [...columns, '#more here: rounds', '#more here: taken', '#more here: given'],
    isDay && rows.length === 0 ? [all] : rows,
    null,
    totals,
    'lines',
  );
  return part(
    'stated',
    'The figures of the RGS',
    beside(days, reader),
    html`${drawn}${below(first, isDay)}`,
  );
}

function lineOf(name: HtmlPart, one: Stated, currency: string): TableRow {
  const { games, bet, win } = one.stated;
  const amount = (text: string): string => amountText(text, currency);
  return [name, count(games), amount(bet), amount(win), ...moreOf(one, currency, true)];
}

/** What the wallet has more; where it is a difference, with the shape of a warning. */
function moreOf({ games, bet, win }: SavedSums, currency: string, isWarned: boolean): HtmlPart[] {
  const texts: [string, boolean][] = [
    [signedCount(games), games !== 0],
    [amountText(bet, currency, 'always'), bet !== '0'],
    [amountText(win, currency, 'always'), win !== '0'],
  ];
  return texts.map(([text, differs]) => (differs && isWarned ? badge('warn', text) : text));
}

/** Rounds that the two count on different days are a line, and no difference. */
function midnightLine(
  { day }: StatedDay,
  sums: SavedSums,
  isDay: boolean,
  currency: string,
): TableRow {
  const name = isDay ? 'Rounds across midnight' : `Rounds across midnight, ${shortDay(day)}`;
  return [name, null, null, null, ...moreOf(sums, currency, false)];
}

function beside(days: readonly StatedDay[], { times }: Reader): Html | null {
  const saved = days.map(({ savedAt }) => savedAt).toSorted();
  const [oldest] = saved;
  if (oldest === undefined) return null;
  const since = days.length === 1 ? 'saved' : 'the oldest saved';
  return html`<small>getStats, ${since} ${times.time(oldest)}</small>`;
}

function below({ counting, byGame, gamesLeftOut }: StatedDay, isDay: boolean): Html {
  const how = counting === null ? null : html`As the RGS counts: ${said(counting)}. `;
  const hidden = gamesLeftOut === 0 ? null : `${count(gamesLeftOut)} more games were not kept. `;
  const games =
    isDay && byGame.length === 0 && gamesLeftOut === 0
      ? html`<code>rgs-wallet reconcile --by-game KEY --save</code> keeps them by game, if the RGS can group so. `
      : null;
  return html`<p class="dim"><small>${how}${isDay ? hidden : null}${games}Repairs by people are not in these sums.</small></p>`;
}

/** Why they are not here. */
function notStated({ compared, zone }: MoneyPeriodView, { times }: Reader): Html {
  const saved = compared.at(-1)?.savedAt;
  const when = saved === undefined ? null : html` Last compared at ${times.time(saved)}.`;
  return html`<p class="dim"><small>The figures of the RGS are not on this page: <code>rgs-wallet reconcile --save</code>, without an export, asks the RGS for them and keeps them. They are shown where its days are those of ${id(zone)}.${when}</small></p>`;
}
