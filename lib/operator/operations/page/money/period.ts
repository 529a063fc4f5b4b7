import {
  amountText,
  badge,
  chips,
  count,
  counted,
  empty,
  type Html,
  html,
  id,
  tiles,
  verdict,
} from '../../../../platform/html';
import { spark } from '../../../../platform/html/figure/spark';
import { moneySpans } from '../../view/money/period';
import type { MoneyFigures } from '../../view/money/sums';
import type { MoneyPageView, MoneyPeriodView, NoMoneyView } from '../../view/money/read';
import type { PageBody, Reader } from '../layout';
import { linkTo, operatorLinks } from '../links';
import { periodText, shortDay } from './dates';
import { notes } from './notes';
import { stated } from './stated';
import { byGame, byPart, statement } from './tables';
import { moneyVerdict } from './verdict';

/** Most tabs of currencies. */
const mostTabs = 20;

/** The money of a day, a week or a month. */
export function moneyPage(
  view: MoneyPageView,
  operators: readonly string[],
  reader: Reader,
): PageBody {
  const links = operatorLinks('money', view.operatorId, operators);
  if (view.totals !== 'on') {
    const nothing = verdict({
      tone: 'note',
      title: 'No day is counted',
      text: withoutTotals[view.totals],
    });
    return { title: 'Money of a day', body: html`${nothing}${links}` };
  }
  const { span, first, last, figures, currency } = view;
  const shown =
    figures === null || currency === null
      ? nothingMoved(view, reader)
      : html`${figuresOf(view, figures, currency)}${stated(view, currency, reader)}`;
  return {
    title: `Money of ${periodText(span, first, last)}`,
    below: bounds(view),
    tools: steps(view),
    body: html`${links}${tabs(view)}${shown}${notes(view, reader)}`,
  };
}

const withoutTotals: Readonly<Record<NoMoneyView['totals'], Html>> = {
  off: html`Start the wallet with <code>serve --totals</code>: from then on the store counts every round and all cash. Without it, <a href="reconciliation">Reconciliation</a> shows the days that were compared with the RGS, and <code>rgs-wallet archive run</code> keeps events.`,
  empty: html`The totals are on, and begin with the first round or movement of cash that is counted.`,
  missing: html`This store keeps no totals. What players have and what moved it is on their pages; <code>rgs-wallet books</code> compares every balance.`,
};

/** A link that keeps what the reader has chosen. */
function hrefOf(
  { operatorId, first, span, currency }: MoneyPeriodView,
  change: Readonly<Record<string, string>>,
): string {
  const kept = { operator: operatorId, day: first, span, ...(currency !== null && { currency }) };
  return linkTo('money', { ...kept, ...change });
}

function bounds({ span, zone, figures, currency }: MoneyPeriodView): Html {
  const hours = span === 'day' && figures !== null ? hoursText(figures) : null;
  return html`00:00 to 24:00 ${id(zone)}, the zone of the books${hours}${currency === null ? null : html` · ${currency}`}`;
}

/** Says when the clocks are changed. */
function hoursText({ parts }: MoneyFigures): string | null {
  const from = Date.parse(parts[0]?.from ?? '');
  const hours = (Date.parse(parts.at(-1)?.to ?? '') - from) / 3_600_000;
  const isTwice = parts.some(({ name }) => name.endsWith('b'));
  return isTwice || hours === 23
    ? `, ${isTwice ? 'where an hour comes twice' : 'a day of 23 hours'}`
    : null;
}

function steps(view: MoneyPeriodView): Html {
  const { previous, next } = view;
  const before =
    previous === null
      ? null
      : html`<a class="btn" href="${hrefOf(view, { day: previous })}">‹ ${shortDay(previous)}</a>`;
  const after =
    next === null
      ? null
      : html`<a class="btn" href="${hrefOf(view, { day: next })}">${shortDay(next)} ›</a>`;
  return html`${before}${after}`;
}

function tabs(view: MoneyPeriodView): Html {
  const { span, currencies, currency, differing } = view;
  const shown = currencies.slice(0, mostTabs);
  const hidden = currencies.length - shown.length;
  const spans = chips(
    'Period',
    moneySpans.map((one) => [hrefOf(view, { span: one }), one, one === span] as const),
  );
  const listed = chips(
    'Currency',
    shown.map((one) => {
      const text = differing.includes(one) ? badge('warn', one, 'differs from the RGS') : one;
      return [hrefOf(view, { currency: one }), text, one === currency] as const;
    }),
  );
  const more =
    hidden === 0 ? null : html`<p class="dim">${hidden} more currencies are in the JSON.</p>`;
  return html`<div class="tools picked">${spans}${currencies.length === 0 ? null : listed}</div>${more}`;
}

/** The days that can be shown, where this one cannot; or that nothing moved. */
function nothingMoved(view: MoneyPeriodView, { times }: Reader): Html {
  const { sinceDay, since, state, currency, span } = view;
  if (state === 'ahead') {
    const text = 'Its figures come with its first round.';
    return verdict({ tone: 'note', title: `This ${span} has not begun`, text });
  }
  if (state === 'counted') {
    const what = currency === null ? 'No money moved' : `No money moved in ${currency}`;
    const nothing = {
      title: `${what} on this ${span}`,
      text: 'Neither a round nor cash was counted.',
    };
    if (view.differing.length === 0) return verdict({ tone: 'note', ...nothing });
    return html`${verdict(moneyVerdict(view))}${empty(nothing.title, nothing.text)}`;
  }
  const link = html`<a href="${hrefOf(view, { day: sinceDay })}">${shortDay(sinceDay)}</a>`;
  const text = html`They begin at ${times.time(since)}, so days can be shown from ${link} on. Earlier events are in an archive, if one was kept (<code>rgs-wallet archive run</code>).`;
  return verdict({ tone: 'note', title: `This ${span} was before the totals began`, text });
}

/** Fewer parts of a period are no line. */
const fewest = 3;

function figuresOf(view: MoneyPeriodView, figures: MoneyFigures, currency: string): Html {
  const { taken, won, repaired, given, kept, rounds, freeRounds, returned, parts } = figures;
  const { cashIn, cashOut, cash } = figures;
  const amount = (text: string): string => amountText(text, currency);
  const free = freeRounds === 0 ? '' : `, ${count(freeRounds)} of them free`;
  const paid = repaired === '0' ? 'by wins' : `wins ${amount(won)}, repairs ${amount(repaired)}`;
  const picture = (name: 'taken' | 'given', tone: 's1' | 's2'): Html | null => {
    const values = parts.map((one) => Number(one[name]));
    return values.length < fewest ? null : spark(values, 'The figure below has the same.', tone);
  };
  return html`${verdict(moneyVerdict(view))}
${tiles([
  {
    name: 'Taken',
    value: amount(taken),
    below: `${counted(rounds, 'round')}${free}`,
    picture: picture('taken', 's1'),
  },
  { name: 'Given', value: amount(given), below: paid, picture: picture('given', 's2') },
  {
    name: 'Kept',
    value: amount(kept),
    below: returned === null ? 'nothing was taken' : `${returned} % of what was taken was given`,
  },
  {
    name: 'Cash in less out',
    value: amountText(cash, currency, 'always'),
    below: `in ${amount(cashIn)}, out ${amount(cashOut)}`,
  },
])}
<div class="grid"><div class="c7">${statement(figures, currency)}</div><div class="c5">${byPart(view, figures, currency)}</div></div>
${byGame(figures, currency)}`;
}
