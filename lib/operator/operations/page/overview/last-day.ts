import {
  amountText,
  counted,
  type Html,
  html,
  type HtmlPart,
  money,
  type Tile,
  type ZonedTimes,
} from '../../../../platform/html';
import { mirrored } from '../../../../platform/html/figure/mirrored';
import { spark } from '../../../../platform/html/figure/spark';
import type { LastDayView } from '../../view/money/last-day';
import type { Listed } from '../../view/query-store';
import { amountsOf } from '../words';

const quarterMs = 900_000;
const dayMs = 24 * 3_600_000;

/** What was taken and kept in 24 hours; without totals what this process took; nothing if nobody counts it. */
export function lastDayTiles(day: Listed<LastDayView>, times: ZonedTimes): Tile[] {
  if (day === 'missing') return [];
  if (day === 'unavailable') {
    const below = 'The store did not answer.';
    return [{ name: link('Taken in 24 hours'), value: 'not known', below }];
  }
  const { of, from, asOf } = day;
  const isOwn = of === 'this process';
  const isShort = Date.parse(asOf) - Date.parse(from) < dayMs - quarterMs;
  const when = isOwn || !isShort ? 'in 24 hours' : 'since the totals began';
  const taken = tileOf(day, 'taken', isOwn ? 'Taken by this process' : link(`Taken ${when}`));
  if (isOwn) {
    const why = html`, without what voids took back; <code>serve --totals</code> counts all`;
    return [{ ...taken, below: html`${taken.below}${countedText(day, 'debit', times)}${why}` }];
  }
  const kept = tileOf(day, 'kept', link(`Kept ${when}`));
  const less = 'taken less given';
  return [
    { ...taken, below: html`${taken.below}${countedText(day, 'round', times)}` },
    { ...kept, below: html`${kept.below}${less}` },
  ];
}

function link(name: string): Html {
  return html`<a href="money">${name}</a>`;
}

/** The amount of the first currency with its picture, and below it those of the others. */
function tileOf({ currencies, hours }: LastDayView, what: 'taken' | 'kept', name: HtmlPart): Tile {
  const [first, ...others] = currencies;
  if (first === undefined) return { name, value: 'nothing', below: null };
  const { currency } = first;
  const rest = others.map((one) => [one.currency, one[what] ?? '0'] as const);
  const below = rest.length === 0 ? null : html`${amountsOf(rest)} · `;
  const amounts = hours.map((hour) => hour[what] ?? '0');
  const [least = '0', ...more] = amounts.toSorted((one, other) => Number(one) - Number(other));
  const most = more.at(-1) ?? least;
  const says = `By the hour, from ${amountText(least, currency)} to ${amountText(most, currency)} ${currency}.`;
  const picture = spark(amounts.map(Number), says);
  return { name, value: money(first[what] ?? '0', currency), below, picture };
}

/** Columns of what was taken and given by the hour, in the first currency; null where it is not counted by the totals. */
export function moneyByHour(day: Listed<LastDayView>, times: ZonedTimes): Html | null {
  if (typeof day === 'string' || day.of === 'this process') return null;
  const { currencies, hours } = day;
  const [first] = currencies;
  if (first === undefined) return null;
  const { currency } = first;
  const lost = hours.filter(({ kept }) => kept?.startsWith('-')).length;
  const amounts = (what: 'taken' | 'given' | 'kept') => hours.map((one) => one[what] ?? '0');
  const texts = (what: 'taken' | 'given' | 'kept') =>
    amounts(what).map((amount) => amountText(amount, currency));
  const values = (what: 'taken' | 'given') => amounts(what).map(Number);
  return mirrored({
    anchor: 'hours',
    title: `Money by the hour, ${currency}`,
    says: `In ${lost === 0 ? 'no hour' : counted(lost, 'hour')} of ${hours.length} more was given than taken; the last one is not over.`,
    of: `from, ${times.zone}`,
    names: hours.map(({ from }) => times.minute(from)),
    above: { name: 'taken', tone: 's1', values: values('taken'), texts: texts('taken') },
    below: { name: 'given', tone: 's2', values: values('given'), texts: texts('given') },
    also: [{ name: 'kept', texts: texts('kept') }],
    isRunning: true,
  });
}

/** What the figures cover. */
function countedText(
  { currencies, from, lastFrom, countedUntil, isWhole }: LastDayView,
  what: 'debit' | 'round',
  times: ZonedTimes,
): HtmlPart {
  const all = currencies.reduce((sum, one) => sum + one.count, 0);
  const since = `${counted(all, what)} since ${times.date(from)}, ${times.minute(from)}`;
  const later =
    lastFrom === null
      ? ''
      : `, of an operator since ${times.date(lastFrom)}, ${times.minute(lastFrom)}`;
  const until = countedUntil === null ? '' : `, counted until ${times.minute(countedUntil)}`;
  return `${since}${later}${until}${isWhole ? '' : '; not every round is in them'}`;
}
