import { isTimeZone } from '../time/zone-days';
import { type Html, html } from './template';

/** Today's names of zones that the runtime knows and lists under a former one, such as Asia/Katmandu. */
const renamed = `Africa/Asmara America/Argentina/Buenos_Aires America/Argentina/Catamarca America/Argentina/Cordoba
America/Argentina/Jujuy America/Argentina/Mendoza America/Atikokan America/Indiana/Indianapolis
America/Kentucky/Louisville America/Nuuk Asia/Ho_Chi_Minh Asia/Kathmandu Asia/Kolkata Asia/Yangon Atlantic/Faroe
Europe/Kyiv Pacific/Chuuk Pacific/Kanton Pacific/Pohnpei`;

const listed = new Set([
  ...Intl.supportedValuesOf('timeZone'),
  ...renamed.split(/\s/).filter(isTimeZone),
]);
listed.delete('UTC');

/** The zones that a reader can choose: those of the runtime, by today's names too, and UTC, which its list lacks. */
export const zoneNames: readonly string[] = ['UTC', ...[...listed].toSorted()];

const known = new Set(zoneNames);

/** Whether a text names a zone that can be chosen. */
export function isZone(text: unknown): text is string {
  return typeof text === 'string' && known.has(text);
}

/** Times as a reader sees them. Each is in UTC, with milliseconds, where it is pointed at. */
export interface ZonedTimes {
  readonly zone: string;
  /** `24 Nov 2026, 07:42:10`. */
  time(iso: string): Html;
  /** `Tue 24 Nov 2026, 07:42:10`. */
  day(iso: string): Html;
  /** `07:42:10.114`. */
  clock(iso: string): Html;
  /** `07:42`, as text; `02a:42` and `02b:42` where the clocks show it twice. */
  minute(iso: string): string;
  /** `Tue 24 Nov`, as text. */
  date(iso: string): string;
}

const dayMs = 86_400_000;

/**
 * When the clocks of a zone show a time: the later moment where they show it twice, null where they skip it.
 * @param shown What they show, in milliseconds as if it were UTC.
 */
export function momentIn(zone: string, shown: number): number | null {
  const clocks = new Intl.DateTimeFormat('sv-SE-u-ca-gregory-nu-latn', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const shownAt = (at: number): number =>
    Date.parse(`${clocks.format(at).replace(' ', 'T')}Z`) + (at % 1000);
  // No clocks change twice within two days.
  const [before, after] = [shown - dayMs, shown + dayMs];
  const moments = [before, after].map((at) => shown - (shownAt(at) - at));
  const right = moments.filter((at) => shownAt(at) === shown);
  return right.length === 0 ? null : Math.max(...right);
}

const made = new Map<string, ZonedTimes>();

/** The times of a zone that {@link isZone} accepts; made once a zone. */
export function timesIn(zone: string): ZonedTimes {
  const before = made.get(zone);
  if (before !== undefined) return before;
  const times = makeTimes(zone);
  made.set(zone, times);
  return times;
}

function makeTimes(timeZone: string): ZonedTimes {
  const clockParts = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const dayParts = { day: 'numeric', month: 'short' } as const;
  const format = (options: Intl.DateTimeFormatOptions) => {
    const own = new Intl.DateTimeFormat('en-GB', { ...options, timeZone, hourCycle: 'h23' });
    return (iso: string): string => own.format(new Date(iso));
  };
  const date = format({ ...dayParts, year: 'numeric' });
  const weekday = format({ weekday: 'short' });
  const clock = format(clockParts);
  const fine = format({ ...clockParts, fractionalSecondDigits: 3 });
  const minute = format({ hour: '2-digit', minute: '2-digit' });
  const short = format(dayParts);
  return {
    zone: timeZone,
    time: (iso) => element(iso, `${date(iso)}, ${clock(iso)}`),
    day: (iso) => element(iso, `${weekday(iso)} ${date(iso)}, ${clock(iso)}`),
    clock: (iso) => element(iso, fine(iso)),
    minute: (iso) => marked(minute, iso),
    date: (iso) => `${weekday(iso)} ${short(iso)}`,
  };
}

/** By how much clocks are put back, in milliseconds: by an hour, on Lord Howe Island by half of one. */
const steps = [3_600_000, 1_800_000];

/** A time of the clock, its hour with a letter where it comes twice. */
function marked(write: (iso: string) => string, iso: string): string {
  const shown = write(iso);
  const comesAgain = (sign: 1 | -1): boolean =>
    steps.some((ms) => write(new Date(Date.parse(iso) + sign * ms).toISOString()) === shown);
  if (comesAgain(1)) return shown.replace(':', 'a:');
  return comesAgain(-1) ? shown.replace(':', 'b:') : shown;
}

function element(iso: string, text: string): Html {
  return html`<time datetime="${iso}" title="${iso}">${text}</time>`;
}
