const quarterMs = 900_000;

/** The quarter of an hour that a time lies in, counted from 1970. */
export function quarterOf(at: number): number {
  return Math.floor(at / quarterMs);
}

/** When a day begins and the next one does, in milliseconds since 1970. */
export interface DayBounds {
  readonly from: number;
  readonly to: number;
}

/** What the calendar and the clock of a zone show. */
interface Shown {
  readonly date: Intl.DateTimeFormat;
  readonly clock: Intl.DateTimeFormat;
}

const made = new Map<string, Shown>();

/** Made once a zone: that takes as long as a hundred dates. */
function shownIn(timeZone: string): Shown {
  const before = made.get(timeZone);
  if (before !== undefined) return before;
  const [locale, two] = ['en-CA-u-ca-gregory-nu-latn', '2-digit'] as const;
  const day = { timeZone, year: 'numeric', month: two, day: two } as const;
  const time = { timeZone, hour: two, minute: two, hourCycle: 'h23' } as const;
  const shown = {
    date: new Intl.DateTimeFormat(locale, day),
    clock: new Intl.DateTimeFormat(locale, time),
  };
  made.set(timeZone, shown);
  return shown;
}

/**
 * The calendar days of a time zone. A day has the length that the zone gives it: 23 or 25 hours when the clocks change. Zones
 * differ from UTC by whole quarters of an hour, so a quarter has one day.
 */
export class ZoneDays {
  readonly #days = new Map<number, string>();
  readonly #shown: Shown;

  /** @throws TypeError for a zone that this system does not know. */
  constructor(readonly zone: string) {
    try {
      this.#shown = shownIn(zone);
    } catch {
      throw new TypeError('the time zone is not known: name one such as Europe/Malta');
    }
  }

  /** The day of a time, such as `2026-11-24`. */
  dayOf(at: number): string {
    return this.dayOfQuarter(quarterOf(at));
  }

  dayOfQuarter(quarter: number): string {
    let day = this.#days.get(quarter);
    if (day === undefined) {
      day = this.#shown.date.format(quarter * quarterMs);
      this.#days.set(quarter, day);
    }
    return day;
  }

  boundsOf(day: string): DayBounds {
    const quarter = quarterOf(Date.parse(`${day}T00:00:00Z`));
    // No zone is a day away from UTC.
    const from = this.#first(quarter - 96, quarter + 96, (one) => one >= day);
    const to = this.#first(from, quarter + 192, (one) => one > day);
    return { from: from * quarterMs, to: to * quarterMs };
  }

  /** The first quarter after one, and at most another, whose day is late enough. */
  #first(from: number, to: number, isLate: (day: string) => boolean): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (isLate(this.dayOfQuarter(middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** What the clock shows where a quarter begins, in minutes after midnight. */
  minutesOf(quarter: number): number {
    const [hours, minutes] = this.#shown.clock.format(quarter * quarterMs).split(':');
    return Number(hours) * 60 + Number(minutes);
  }
}

/** Whether this system knows the zone of this name. Offsets such as `+02:00` are refused. */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || !/^[A-Za-z]/.test(name)) return false;
  try {
    return new ZoneDays(name).zone === name;
  } catch {
    return false;
  }
}

/** Whether a text is a day that exists, such as `2026-11-24`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The days from the first to the last one, both included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(`${first}T00:00:00Z`); ; at += 96 * quarterMs) {
    const day = new Date(at).toISOString().slice(0, 10);
    if (day > last) return days;
    days.push(day);
  }
}
