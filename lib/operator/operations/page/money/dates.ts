import type { MoneySpan } from '../../view/money/period';

function format(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const own = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (day) => own.format(new Date(`${day}T00:00:00Z`));
}

const [short, numbered] = [
  { day: 'numeric', month: 'short' },
  { day: 'numeric', month: 'long' },
] as const;

/** A day in words: `23 Nov`. */
export const shortDay = format(short);

/** `Mon 23`. */
export const weekdayOf = format({ weekday: 'short', day: 'numeric' });

const longDay = format({ ...numbered, weekday: 'long', year: 'numeric' });
const dated = format({ ...numbered, year: 'numeric' });
const monthOf = format({ month: 'long', year: 'numeric' });

/** A period in words. */
export function periodText(span: MoneySpan, first: string, last: string): string {
  if (span === 'day') return longDay(first);
  return span === 'week' ? `${dated(first)} to ${dated(last)}` : monthOf(first);
}
