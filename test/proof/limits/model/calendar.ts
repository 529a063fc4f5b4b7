import type { LimitWindow } from '../../../../lib/operator/wallet';

interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const dayMs = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();
const dates = new Map<string, CalendarDate>();

/** The number of the window in which this moment is in the zone (D13.5): 20261124, 202648 or 202611. */
export function windowNumber(zone: string, window: LimitWindow, at: number): number {
  const { year, month, day } = dateIn(zone, at);
  if (window === 'day') return year * 10_000 + month * 100 + day;
  if (window === 'month') return year * 100 + month;
  return isoWeek(year, month, day);
}

/** A week belongs to the year of its Thursday. */
function isoWeek(year: number, month: number, day: number): number {
  const date = Date.UTC(year, month - 1, day);
  const sinceMonday = (new Date(date).getUTCDay() + 6) % 7;
  const thursday = date + (3 - sinceMonday) * dayMs;
  const weekYear = new Date(thursday).getUTCFullYear();
  const week = Math.floor((thursday - Date.UTC(weekYear, 0, 1)) / (7 * dayMs)) + 1;
  return weekYear * 100 + week;
}

/** The first moment of the window after the one of this moment. */
export function nextWindow(zone: string, window: LimitWindow, at: number): number {
  const number = windowNumber(zone, window, at);
  let [low, high] = [at, at + dayMs];
  while (windowNumber(zone, window, high) === number) [low, high] = [high, high + dayMs];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (windowNumber(zone, window, middle) === number) low = middle;
    else high = middle;
  }
  return high;
}

function dateIn(zone: string, at: number): CalendarDate {
  const key = `${zone} ${at}`;
  const known = dates.get(key);
  if (known !== undefined) return known;
  if (dates.size > 50_000) dates.clear();
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year, month, day] = [parts.get('year'), parts.get('month'), parts.get('day')];
  if (year === undefined || month === undefined || day === undefined) throw new Error('no date');
  const date = { year, month, day };
  dates.set(key, date);
  return date;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  formats.set(zone, format);
  return format;
}
