import type { Clock } from '../../../platform';
import type { CallWatch, RecentCalls } from '../../minutes/call-watch';
import { bucketCount, callOutcomes, type MinuteCounts, timeOfShare } from '../../minutes/counts';
import { readRow } from '../../minutes/row';
import { type MinuteSample, mostSampled, scopeOf } from '../../minutes/sample';
import {
  type KeptMinute,
  type Minutes,
  mostMinuteRows,
  StoreUnavailableError,
  type WalletStore,
} from '../../wallet';
import { freshly } from './query-store';
import { RecentSum } from './recent-sum';

/** Minutes of a column, and columns: three hours. */
export const columnMinutes = 5;
const columns = 36;

const minuteMs = 60_000;

/** So far ahead of the reader's clock rows are looked for, in minutes: clocks differ by less. */
const mostAhead = 10;

/** A process whose last row is older does not run. */
const runningMinutes = 3;

/** The calls of five minutes; all null where nothing was counted. */
export interface CallsColumn {
  /** ISO 8601, UTC. */
  readonly from: string;
  readonly done: number | null;
  readonly declined: number | null;
  readonly unknown: number | null;
  readonly shed: number | null;
  /** Milliseconds within which half of the calls were answered; null without calls. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  /** Rounds that waited for a person, as counted last in these minutes; null where it is not known. */
  readonly waiting: WaitingByAge | null;
}

/** Rounds that wait for a person, by how long they do. */
export interface WaitingByAge {
  readonly underHour: number;
  readonly underDay: number;
  readonly over: number;
  /** False if more than these may wait. */
  readonly isWhole: boolean;
}

/** What waited for a consumer of the events. */
export interface LagHistory {
  readonly consumer: string;
  /** Events, a column each; null where it is not known. */
  readonly waiting: readonly (number | null)[];
}

/** The calls of the last three hours. */
export interface CallsView {
  readonly asOf: string;
  /** Whose calls: of every process that keeps its minutes in the store, or of this one, also where the store did not answer. */
  readonly of: 'all processes' | 'this process' | 'this process: the store did not answer';
  /** Processes that counted in the last minutes. */
  readonly processes: number;
  /**
   * False if there may be more calls: a row that cannot be read, a minute with as many rows as the store keeps, or a process whose
   * clock is ahead.
   */
  readonly isWhole: boolean;
  /** Since when this process counts: ISO 8601, UTC; null for all processes. */
  readonly since: string | null;
  /** The last minutes, as far as they are counted: of another process all but those that it has not written yet. */
  readonly recent: RecentCalls;
  /** The oldest first; the last one is not over. */
  readonly columns: readonly CallsColumn[];
  /** By consumer of the events, in the columns of the calls; empty where no process has counted them. */
  readonly lags: readonly LagHistory[];
}

interface CallsParts {
  readonly store: Pick<WalletStore, 'minutes'>;
  readonly calls: CallWatch | null;
  readonly clock: Clock;
}

/** The calls of the last three hours, by five minutes, and what waited of these operators; null if nothing is counted: no call watch, and no rows. */
export async function viewCalls({
  store,
  calls,
  clock,
  operators,
}: CallsParts & { readonly operators: readonly string[] }): Promise<CallsView | null> {
  const now = clock.now();
  const minute = Math.floor(now / minuteMs);
  const from = (Math.floor(minute / columnMinutes) + 1 - columns) * columnMinutes;
  const rows = await rowsOf(store.minutes, clock, from);
  const recorder = calls?.recorder ?? null;
  if (recorder === null && (rows === null || rows.length === 0)) return null;
  const own = recorder?.minutes(from, minute + 1) ?? [];
  const others = rows?.filter(({ process }) => process !== recorder?.process) ?? [];
  const isKept = rows !== null && rows.length > 0;
  const sums = new Sums(from);
  const [samples, scope] = [new Samples(from), scopeOf(operators)];
  const recent = new RecentSum(calls?.read() ?? null, minute, now);
  const rowsIn = new Map<number, number>();
  let isWhole = true;
  for (const one of own) sums.add(one);
  for (const { minute: at, process, text } of rows ?? []) {
    const row = readRow(at, text);
    const inMinute = (rowsIn.get(at) ?? 0) + 1;
    rowsIn.set(at, inMinute);
    if (row === null || at > minute || inMinute === mostMinuteRows) isWhole = false;
    if (row === null) continue;
    if (process !== recorder?.process) {
      sums.add(row);
      recent.add(row);
    }
    if (row.scope === scope) samples.add(row);
  }
  if (recorder !== null) sums.note(Math.floor(recorder.since / minuteMs), minute);
  const running = others.filter((one) => one.minute > minute - runningMinutes);
  const alone = rows === null ? 'this process: the store did not answer' : 'this process';
  return {
    asOf: new Date(now).toISOString(),
    of: isKept ? 'all processes' : alone,
    processes: new Set(running.map(({ process }) => process)).size + (recorder === null ? 0 : 1),
    isWhole,
    since: isKept || recorder === null ? null : new Date(recorder.since).toISOString(),
    recent: recent.calls(),
    columns: sums.columns().map((one, column) => ({ ...one, waiting: samples.waiting(column) })),
    lags: samples.lags(),
  };
}

/** A process that counted in the last three hours. */
export interface ProcessRow {
  /** Its name: new at each start. */
  readonly process: string;
  /** Whether it is the one that answers. */
  readonly isThis: boolean;
  /** Its first minute of these hours, and its last: ISO 8601, UTC. */
  readonly firstAt: string;
  readonly lastAt: string;
  /** Calls of these hours. */
  readonly calls: number;
  /** Whether it counted in the last minutes. */
  readonly isRunning: boolean;
  /** The version of the package that it runs; null where its rows do not say. */
  readonly version: string | null;
}

/** The processes of the last three hours by their rows, the latest start first; null where the store keeps none. @throws StoreUnavailableError */
export async function viewProcesses({
  store,
  calls,
  clock,
}: CallsParts): Promise<ProcessRow[] | null> {
  if (store.minutes === undefined) return null;
  const now = Math.floor(clock.now() / minuteMs);
  const from = (Math.floor(now / columnMinutes) + 1 - columns) * columnMinutes;
  const rows = await rowsOf(store.minutes, clock, from);
  if (rows === null) throw new StoreUnavailableError('The store did not list the minutes.');
  const found = new Map<
    string,
    { first: number; last: number; calls: number; version: string | null }
  >();
  for (const { process, minute, text } of rows) {
    const before = found.get(process) ?? { first: minute, last: minute, calls: 0, version: null };
    const row = readRow(minute, text);
    const counted = row?.outcomes.reduce((sum, one) => sum + one, 0) ?? 0;
    found.set(process, {
      first: Math.min(before.first, minute),
      last: Math.max(before.last, minute),
      calls: before.calls + counted,
      version: row?.version ?? before.version,
    });
  }
  const inOrder = [...found].toSorted(([, one], [, other]) => other.first - one.first);
  return inOrder.map(([process, { first, last, calls: counted, version }]) => ({
    process,
    isThis: process === calls?.recorder.process,
    firstAt: new Date(first * minuteMs).toISOString(),
    lastAt: new Date(last * minuteMs).toISOString(),
    calls: counted,
    isRunning: last > now - runningMinutes,
    version,
  }));
}

/** What a sample says. */
export function waitingByAge(waiting: NonNullable<MinuteSample['waiting']>): WaitingByAge {
  const [underHour, underDay, over] = waiting;
  return { underHour, underDay, over, isWhole: underHour + underDay + over < mostSampled };
}

/** What several processes counted, by column. */
class Sums {
  private readonly all = Array.from({ length: columns }, () => ({
    isCounted: false,
    outcomes: Array.from(callOutcomes, () => 0),
    times: Array.from({ length: bucketCount }, () => 0),
  }));

  constructor(private readonly from: number) {}

  add({ minute, outcomes, times }: MinuteCounts): void {
    const sum = this.at(minute);
    if (sum === undefined) return;
    sum.isCounted = true;
    for (const [at, calls] of outcomes.entries())
      sum.outcomes[at] = (sum.outcomes[at] ?? 0) + calls;
    for (const [at, calls] of times.entries()) sum.times[at] = (sum.times[at] ?? 0) + calls;
  }

  /** A process counted in these minutes, also where no call came. */
  note(first: number, last: number): void {
    for (let minute = Math.max(first, this.from); minute <= last; minute++) {
      const sum = this.at(minute);
      if (sum !== undefined) sum.isCounted = true;
    }
  }

  columns(): Omit<CallsColumn, 'waiting'>[] {
    return this.all.map(({ isCounted, outcomes, times }, at) => {
      const [done, declined, unknown, shed] = outcomes.map((calls) => (isCounted ? calls : null));
      return {
        from: new Date((this.from + at * columnMinutes) * minuteMs).toISOString(),
        done: done ?? null,
        declined: declined ?? null,
        unknown: unknown ?? null,
        shed: shed ?? null,
        p50: timeOfShare(times, 0.5),
        p95: timeOfShare(times, 0.95),
        p99: timeOfShare(times, 0.99),
      };
    });
  }

  private at(minute: number) {
    return this.all[Math.floor((minute - this.from) / columnMinutes)];
  }
}

/** What waited, by column: as the last sample of any process has it. */
class Samples {
  private readonly all: ({ readonly minute: number } & MinuteSample)[] = [];

  constructor(private readonly from: number) {}

  add(row: { readonly minute: number } & MinuteSample): void {
    const { waiting, lag, minute } = row;
    if (waiting === undefined && lag === undefined) return;
    const column = Math.floor((minute - this.from) / columnMinutes);
    const before = this.all[column];
    if (before === undefined || before.minute <= minute) this.all[column] = { ...before, ...row };
  }

  waiting(column: number): WaitingByAge | null {
    const waiting = this.all[column]?.waiting;
    return waiting === undefined ? null : waitingByAge(waiting);
  }

  lags(): LagHistory[] {
    const names = new Set(this.all.flatMap((one) => [...(one?.lag?.keys() ?? [])]));
    return [...names].map((consumer) => {
      const lagOf = (_: unknown, column: number) => this.all[column]?.lag?.get(consumer) ?? null;
      return { consumer, waiting: Array.from({ length: columns }, lagOf) };
    });
  }
}

/** The rows of the store since a minute; none where it has no such part, null where it does not answer. */
async function rowsOf(
  minutes: Minutes | undefined,
  clock: Clock,
  from: number,
): Promise<readonly KeptMinute[] | null> {
  if (minutes === undefined) return [];
  try {
    const list = () => minutes.list(from, from + columns * columnMinutes + mostAhead);
    return await freshly(minutes, 'rows', clock, list);
  } catch (error) {
    if (error instanceof StoreUnavailableError) return null;
    throw error;
  }
}
