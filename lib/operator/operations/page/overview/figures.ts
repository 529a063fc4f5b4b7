import { count, counted, type Html, html, part, type ZonedTimes } from '../../../../platform/html';
import { columns } from '../../../../platform/html/figure/columns';
import type { FigureData } from '../../../../platform/html/figure/frame';
import { lines } from '../../../../platform/html/figure/lines';
import { bucketEnds } from '../../../minutes/counts';
import {
  type CallsColumn,
  type CallsView,
  columnMinutes,
  type WaitingByAge,
} from '../../view/minutes';

/**
 * The money of the last day by the hour, and of the last three hours how many calls were done, how the others ended, how long the
 * answers took, and what waited for a person; nothing where nothing is counted.
 */
export function lastHours(
  money: Html | null,
  view: CallsView | null,
  times: ZonedTimes,
): Html | null {
  if (view === null && money === null) return null;
  const calls = view === null ? [] : callFigures(view, times);
  // Beside the money, which is wide, there are three in a row.
  const width = money === null ? 'c6' : 'c4';
  const wide = money === null ? null : html`<div class="c8">${money}</div>`;
  const drawn = calls.map((one) => html`<div class="${width}">${one}</div>`);
  const beside = view === null ? null : html`<small>${coverage(view, times)}</small>`;
  return part('calls', 'The last hours', beside, html`<div class="grid">${wide}${drawn}</div>`);
}

function callFigures(view: CallsView, times: ZonedTimes): Html[] {
  return [
    waitingFigure(view, times),
    doneFigure(view, times),
    othersFigure(view, times),
    timeFigure(view, times),
  ];
}

function coverage({ of, processes, since, isWhole }: CallsView, times: ZonedTimes): string {
  if (of === 'all processes') {
    const more = isWhole ? '' : '. At least these: not every row could be counted';
    return `calls of all processes; ${count(processes)} now${more}`;
  }
  const began = since === null ? '' : ` since ${times.date(since)}, ${times.minute(since)}`;
  const why = of === 'this process' ? '' : ': the store did not answer';
  return `calls of this process alone${began}${why}`;
}

/** What the figures of the calls share. */
function base(
  { columns: all }: CallsView,
  times: ZonedTimes,
): Pick<FigureData, 'of' | 'names' | 'isRunning'> {
  const names = all.map(({ from }) => times.minute(from));
  return { of: `from, ${times.zone}`, names, isRunning: true };
}

function doneFigure(view: CallsView, times: ZonedTimes): Html {
  const [column, range] = lastWhole(view, times);
  const done = column?.done ?? null;
  const rate = done === null ? 0 : Math.round(done / columnMinutes);
  const says =
    done === null
      ? 'No five minutes are counted yet.'
      : `${counted(done, 'call')} ${range}: ${count(rate)} a minute.`;
  const values = view.columns.map((one) => one.done);
  const series = [{ name: 'done', tone: 's1', values }] as const;
  return columns({ ...base(view, times), anchor: 'done', title: 'Calls, done', says, series }, 1);
}

function othersFigure(view: CallsView, times: ZonedTimes): Html {
  const sum = (name: 'declined' | 'unknown' | 'shed'): number =>
    view.columns.reduce((all, column) => all + (column[name] ?? 0), 0);
  const [declined, unknown, shed] = [sum('declined'), sum('unknown'), sum('shed')];
  const worst = view.columns.reduce((one, other) => (failed(other) > failed(one) ? other : one));
  const when = failed(worst) === unknown + shed ? 'all' : 'the worst';
  const which =
    failed(worst) === 0
      ? 'None was unknown or shed'
      : `${count(unknown)} unknown and ${count(shed)} shed, ${when} ${rangeOf(worst, times)}`;
  const of = (name: 'declined' | 'unknown' | 'shed') => view.columns.map((one) => one[name]);
  return columns(
    {
      ...base(view, times),
      anchor: 'others',
      title: 'Declined, unknown, shed',
      says: `${which}; ${count(declined)} declined in all.`,
      series: [
        { name: 'declined', tone: 's3', values: of('declined') },
        { name: 'unknown', tone: 'w', values: of('unknown') },
        { name: 'shed', tone: 'b', values: of('shed') },
      ],
    },
    1,
  );
}

/** What of a column has an unknown outcome, or none. */
function failed({ unknown, shed }: CallsColumn): number {
  return (unknown ?? 0) + (shed ?? 0);
}

/** How many columns before the running one a burst is remembered: an hour. */
const remembered = 60 / columnMinutes;

/**
 * The last hour's calls without an outcome, where they were as many as would be said in colour; null if they were not.
 * @param share Of the calls of five minutes.
 */
export function pastBurst(view: CallsView, share: number, times: ZonedTimes): string | null {
  const bursts = view.columns.slice(-1 - remembered, -1).filter((one) => {
    const all = failed(one) + (one.done ?? 0) + (one.declined ?? 0);
    return failed(one) > 0 && failed(one) >= share * all;
  });
  const [first] = bursts;
  const last = bursts.at(-1);
  if (first === undefined || last === undefined) return null;
  const sum = (name: 'unknown' | 'shed') =>
    count(bursts.reduce((all, column) => all + (column[name] ?? 0), 0));
  return `${sum('unknown')} unknown and ${sum('shed')} shed ${rangeOf(first, times, last)}: over.`;
}

function timeFigure(view: CallsView, times: ZonedTimes): Html {
  const [column, range] = lastWhole(view, times);
  const { p50 = null, p99 = null } = column ?? {};
  const says =
    p50 === null || p99 === null
      ? 'No call was answered in the last whole five minutes.'
      : `Half within ${msText(p50)} ms, 99 of 100 within ${msText(p99)} ms, ${range}.`;
  return lines({
    ...base(view, times),
    anchor: 'times',
    title: 'Time to answer, ms',
    says,
    text: msText,
    series: [
      { name: 'p50', tone: 's1', values: view.columns.map((one) => one.p50) },
      { name: 'p95', tone: 's4', values: view.columns.map((one) => one.p95) },
      { name: 'p99', tone: 'b', values: view.columns.map((one) => one.p99) },
    ],
  });
}

function waitingFigure(view: CallsView, times: ZonedTimes): Html {
  const known = view.columns.map(({ waiting }) => waiting);
  const last = known.findLast((one) => one !== null) ?? null;
  const of = (name: 'underHour' | 'underDay' | 'over') => known.map((one) => one?.[name] ?? null);
  return columns(
    {
      ...base(view, times),
      anchor: 'waiting',
      title: 'Waiting for a person, by age',
      says: last === null ? 'Not known: no process has counted them.' : waitingText(last),
      series: [
        { name: 'under 1 h', tone: 's3', values: of('underHour') },
        { name: '1 to 24 h', tone: 'w', values: of('underDay') },
        { name: 'over 24 h', tone: 'b', values: of('over') },
      ],
    },
    1,
  );
}

function waitingText({ underHour, underDay, over, isWhole }: WaitingByAge): string {
  const all = underHour + underDay + over;
  if (all === 0) return 'No round waited when they were counted last.';
  const day = over === 0 ? '' : `${count(over)} for over a day, `;
  const ages =
    over + underDay === 0
      ? 'none for over an hour'
      : `${day}${count(underDay)} for an hour to a day`;
  return `${isWhole ? '' : 'At least '}${counted(all, 'round')} when they were counted last: ${ages}.`;
}

/** The last column that is over, and when it was. */
function lastWhole(
  { columns: all }: CallsView,
  times: ZonedTimes,
): readonly [column: CallsColumn | undefined, range: string] {
  const column = all.at(-2);
  return [column, column === undefined ? '' : rangeOf(column, times)];
}

function rangeOf({ from }: CallsColumn, times: ZonedTimes, last = { from }): string {
  const end = new Date(Date.parse(last.from) + columnMinutes * 60_000).toISOString();
  return `from ${times.minute(from)} to ${times.minute(end)}`;
}

/** A time as exact as it is known: two digits. */
function msText(ms: number): string {
  const [shortest = 0, longest = 0] = [bucketEnds[0], bucketEnds.at(-1)];
  if (ms <= shortest) return `<${shortest}`;
  const text = ms < 10 ? ms.toFixed(1) : count(Number(ms.toPrecision(2)));
  return ms >= longest ? `>${text}` : text;
}
