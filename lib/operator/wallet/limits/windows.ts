import { LatestMap } from '../../../platform/latest-map';
import { quarterOf, ZoneDays } from '../../../platform/time/zone-days';

/** The numbers of a day, a week and a month, such as 20261124, 202648 and 202611: each rises with time (D13.5). */
export type WindowNumbers = readonly [day: number, week: number, month: number];

/** Which windows a time lies in, and when they end, in one zone. */
export class LimitWindows {
  readonly #days: ZoneDays;
  /** The quarter of an hour that was asked last: most commits ask for the present. */
  #quarter = Number.NaN;
  #numbers: WindowNumbers = [0, 0, 0];

  /** @throws TypeError for a zone that this system does not know. */
  constructor(readonly zone: string) {
    this.#days = new ZoneDays(zone);
  }

  /** @param at milliseconds since 1970 */
  numbersOf(at: number): WindowNumbers {
    const quarter = quarterOf(at);
    if (quarter === this.#quarter) return this.#numbers;
    const day = this.#days.dayOfQuarter(quarter);
    const [year = '', month = ''] = day.split('-');
    this.#quarter = quarter;
    this.#numbers = [Number(day.replaceAll('-', '')), weekOf(day), Number(year + month)];
    return this.#numbers;
  }

  /** When the windows that a time lies in began, in milliseconds since 1970: the day, the week and the month. */
  startsOf(at: number): WindowNumbers {
    const date = this.#dateOf(at);
    return this.#beginningsOf([
      addDays(date, 0),
      addDays(date, -mondayFirst(date)),
      Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1),
    ]);
  }

  /** When the windows that a time lies in end, in milliseconds since 1970: of the day, the week and the month. */
  endsOf(at: number): WindowNumbers {
    const date = this.#dateOf(at);
    return this.#beginningsOf([
      addDays(date, 1),
      addDays(date, 7 - mondayFirst(date)),
      Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1),
    ]);
  }

  /** The day of a time, as the same day in UTC. */
  #dateOf(at: number): Date {
    return new Date(`${this.#days.dayOf(at)}T00:00:00Z`);
  }

  /** When these days begin in the zone. */
  #beginningsOf(days: readonly number[]): WindowNumbers {
    const starts = days.map(
      (day) => this.#days.boundsOf(new Date(day).toISOString().slice(0, 10)).from,
    );
    return starts as unknown as WindowNumbers;
  }
}

const dayMs = 86_400_000;

function addDays(date: Date, days: number): number {
  return date.getTime() + days * dayMs;
}

/** 0 for Monday to 6 for Sunday. */
function mondayFirst(date: Date): number {
  return (date.getUTCDay() + 6) % 7;
}

/** The week of a day by ISO 8601, with the year that most of it lies in: 202653. */
function weekOf(day: string): number {
  const date = new Date(`${day}T00:00:00Z`);
  const thursday = new Date(addDays(date, 3 - mondayFirst(date)));
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * dayMs)) + 1;
  return year * 100 + week;
}

const known = new LatestMap<LimitWindows>(64);

/** The windows of a zone. @throws TypeError for a zone that this system does not know. */
export function windowsOf(zone: string): LimitWindows {
  const made = known.get(zone) ?? new LimitWindows(zone);
  if (!known.has(zone)) known.set(zone, made);
  return made;
}
