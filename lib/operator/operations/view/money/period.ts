import { daysBetween, quarterOf, type ZoneDays } from '../../../../platform/time/zone-days';

/** How long a period is. A week begins on Monday. */
export const moneySpans = ['day', 'week', 'month'] as const;

/** See {@link moneySpans}. */
export type MoneySpan = (typeof moneySpans)[number];

/** A period by its first and last day, such as `2026-11-23`. */
export interface Period {
  readonly span: MoneySpan;
  readonly first: string;
  readonly last: string;
}

const dayMs = 86_400_000;

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The day so many days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(startOf(day) + days * dayMs).toISOString().slice(0, 10);
}

/** The period of this length that the day lies in. */
export function periodOf(day: string, span: MoneySpan): Period {
  if (span === 'day') return { span, first: day, last: day };
  const date = new Date(startOf(day));
  if (span === 'week') {
    const first = dayAfter(day, -((date.getUTCDay() + 6) % 7));
    return { span, first, last: dayAfter(first, 6) };
  }
  const first = `${day.slice(0, 7)}-01`;
  const next = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1));
  return { span, first, last: dayAfter(next.toISOString().slice(0, 10), -1) };
}

/** A part of a period: in quarters of an hour since 1970, from one to before another. */
export interface PeriodPart {
  /** The hour `02`, or `02a` and `02b` where it comes twice; or the day. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The hours of a day, or the days of a longer period; without a day that the zone left out. */
export function partsOfPeriod({ span, first, last }: Period, zone: ZoneDays): PeriodPart[] {
  if (span === 'day') return hoursOf(first, zone);
  const days = daysBetween(first, last).map((day) => ({ name: day, ...quartersOf(day, zone) }));
  return days.filter(({ from, to }) => from < to);
}

/** The quarters of a day, from one to before another. */
export function quartersOf(day: string, zone: ZoneDays): { from: number; to: number } {
  const { from, to } = zone.boundsOf(day);
  return { from: quarterOf(from), to: quarterOf(to) };
}

/** A part begins with each hour on the clock, and where the clock is changed. */
function hoursOf(day: string, zone: ZoneDays): PeriodPart[] {
  const { from, to } = quartersOf(day, zone);
  const parts: { name: string; from: number; to: number }[] = [];
  const [first, last] = [zone.minutesOf(from), zone.minutesOf(to - 1)];
  // On a day without a change, the clock shows what has passed.
  const isEven = last - first === (to - 1 - from) * 15;
  let before = Number.NaN;
  for (let quarter = from; quarter < to; quarter++) {
    const minutes = isEven ? first + (quarter - from) * 15 : zone.minutesOf(quarter);
    const part = parts.at(-1);
    if (part !== undefined && minutes % 60 !== 0 && minutes === before + 15) part.to = quarter + 1;
    else parts.push({ name: hourName(minutes), from: quarter, to: quarter + 1 });
    before = minutes;
  }
  return parts.map((part) => {
    const same = parts.filter(({ name }) => name === part.name);
    const letter = same.length === 1 ? '' : (['a', 'b'][same.indexOf(part)] ?? '');
    return { ...part, name: `${part.name}${letter}` };
  });
}

function hourName(minutes: number): string {
  return String(Math.floor(minutes / 60)).padStart(2, '0');
}
