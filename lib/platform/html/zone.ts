import { type Html, html } from './template';

/** The zones that a reader can choose: those of the runtime, and UTC, which its list lacks. */
export const zoneNames: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC'),
];

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
  /** `07:42`, as text. */
  minute(iso: string): string;
  /** `Tue 24 Nov`, as text. */
  date(iso: string): string;
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
    minute,
    date: (iso) => `${weekday(iso)} ${short(iso)}`,
  };
}

function element(iso: string, text: string): Html {
  return html`<time datetime="${iso}" title="${iso}">${text}</time>`;
}
