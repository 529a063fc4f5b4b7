import { isCurrency } from '../../../../protocol/identifiers';
import type { TotalsGap } from '../../../wallet';
import { isDay, quarterOf, ZoneDays } from '../../../../platform/time/zone-days';
import type { OperationsSettings } from '../../configuration/options';
import {
  dayAfter,
  type MoneySpan,
  moneySpans,
  partsOfPeriod,
  type Period,
  periodOf,
  quartersOf,
} from './period';
import { countedOf, type TotalsPorts } from './counted';
import { type MoneyFigures, PeriodSums } from './sums';
import { freshly } from '../query-store';
import {
  type ComparedDay,
  comparedDays,
  differingCurrencies,
  viewReconciliation,
} from '../reconciliation';
import { RequestFault, type RequestFields, shownOperator } from '../request';
import { timeText } from '../../../../platform/time/iso';

/** Why the figures of a period are not final, or not whole. */
export type MoneyLack =
  /** It is not over: the figures are those until now. */
  | 'running'
  /** It ended less than an hour ago: events may come late. */
  | 'just over'
  /** Events wait to be counted: see `countedUntil`. */
  | 'waiting'
  /** The totals begin within it: see `since`. */
  | 'begun within'
  /** Some quarters of an hour are not whole: see `gaps`. */
  | 'gaps';

/** A quarter of an hour that is not whole. */
export interface MoneyGap {
  /** When it begins: ISO 8601, UTC. */
  readonly at: string;
  readonly kind: TotalsGap['kind'];
  readonly playerId: string;
  readonly gameRound: string;
}

/** The money of a day, a week or a month, by the totals that the store keeps. */
export interface MoneyPeriodView {
  readonly totals: 'on';
  readonly asOf: string;
  readonly operatorId: string;
  /** The zone of the books, in which days begin and end. */
  readonly zone: string;
  readonly span: MoneySpan;
  /** The first and the last day, such as `2026-11-23`. */
  readonly first: string;
  readonly last: string;
  /** `before`: the totals began after it. `ahead`: it has not begun. */
  readonly state: 'counted' | 'before' | 'ahead';
  /** A day of the period before and after; null where nothing is counted. */
  readonly previous: string | null;
  readonly next: string | null;
  /** From when on all events are counted, ISO 8601 in UTC, and its day. */
  readonly since: string;
  readonly sinceDay: string;
  /** The time of the oldest event that waits to be counted; null without any. */
  readonly countedUntil: string | null;
  /** Empty if the figures are whole. */
  readonly lacks: readonly MoneyLack[];
  /** At most 20. */
  readonly gaps: readonly MoneyGap[];
  readonly moreGaps: number;
  /** Those in which money moved. */
  readonly currencies: readonly string[];
  /** The one of the figures: as asked for, or the one with the most rounds. */
  readonly currency: string | null;
  /** Null if no day of the period is counted, or no money moved. */
  readonly figures: MoneyFigures | null;
  /** What was found by comparing with the RGS, of the newest 31 days that were saved. */
  readonly compared: readonly ComparedDay[];
  /** The currencies in which it differs, also those in which no money moved here. */
  readonly differing: readonly string[];
}

/** `off`: nobody keeps totals, as `serve --totals` would. `empty`: nothing is counted yet. `missing`: the store cannot keep any. */
export interface NoMoneyView {
  readonly totals: 'off' | 'empty' | 'missing';
  readonly operatorId: string;
}

/** The answer to `money`. */
export type MoneyPageView = MoneyPeriodView | NoMoneyView;

/** How long after its end a period waits for events that come late, in milliseconds. */
const waitMs = 3_600_000;
/** Events that wait for less are being counted, in milliseconds. */
const countingMs = 60_000;
const mostGaps = 20;

interface MoneyRequest
  extends RequestFields,
    Pick<OperationsSettings, 'store' | 'clock' | 'booksZone'> {}

/**
 * The money of a period.
 * @throws RequestFault for a day, a span, a currency or an operator that is not valid; StoreUnavailableError.
 */
export async function viewMoneyPeriod(request: MoneyRequest): Promise<MoneyPageView> {
  const { store, clock, booksZone } = request;
  const operatorId = shownOperator(request);
  const asked = askedOf(request.fields);
  const { totals, events } = store;
  if (totals === undefined || events === undefined) return { totals: 'missing', operatorId };
  const now = clock.now();
  // Before the rows: these have all that does not wait now.
  const ports = { clock, totals, events };
  const counted = await countedOf(ports, operatorId);
  if (typeof counted === 'string') return { totals: counted, operatorId };
  const zone = new ZoneDays(booksZone);
  const [sinceDay, today] = [zone.dayOf(counted.since), zone.dayOf(now)];
  const yesterday = dayAfter(today, -1);
  const day = asked.day ?? (yesterday < sinceDay ? today : yesterday);
  const period = periodOf(day, asked.span);
  const { first, last } = period;
  const ahead = first > today ? 'ahead' : 'counted';
  const state = last < sinceDay ? 'before' : ahead;
  const isCounted = state === 'counted';
  const read = isCounted
    ? await readPeriod(ports, operatorId, period, { zone, now, until: counted.until })
    : nothing;
  const currency = asked.currency ?? read.sums?.busiest ?? null;
  const [before, after] = [dayAfter(first, -1), dayAfter(last, 1)];
  const [previous, next] = [before > today ? today : before, after < sinceDay ? sinceDay : after];
  const saved = isCounted ? await viewReconciliation(request) : null;
  return {
    totals: 'on',
    asOf: timeText(now),
    operatorId,
    zone: booksZone,
    ...period,
    state,
    previous: previous < sinceDay ? null : previous,
    next: next > today ? null : next,
    since: timeText(counted.since),
    sinceDay,
    countedUntil: counted.until === null ? null : timeText(counted.until),
    lacks: isCounted ? lacksOf(zone, period, { ...counted, now, gaps: read.gaps.length }) : [],
    gaps: read.gaps.slice(0, mostGaps).map(gapOf),
    moreGaps: Math.max(0, read.gaps.length - mostGaps),
    currencies: read.sums?.currencies ?? [],
    currency,
    figures: currency === null ? null : (read.sums?.figures(currency, store.decimals) ?? null),
    compared: comparedDays(saved?.days ?? [], period, booksZone, currency ?? ''),
    differing: differingCurrencies(saved?.days ?? [], period, booksZone),
  };
}

/** @throws RequestFault */
function askedOf(fields: URLSearchParams): {
  readonly day: string | null;
  readonly span: MoneySpan;
  readonly currency: string | null;
} {
  const [day, currency] = [fields.get('day') || null, fields.get('currency') || null];
  if (day !== null && (!isDay(day) || day < '2000' || day > '2999')) {
    throw new RequestFault(400, 'The day must be one such as 2026-11-23.', 'day');
  }
  if (currency !== null && !isCurrency(currency)) {
    throw new RequestFault(400, 'The currency must be three upper-case letters.', 'currency');
  }
  const named = fields.get('span') || 'day';
  const span = moneySpans.find((one) => one === named);
  if (span !== undefined) return { day, span, currency };
  throw new RequestFault(400, `The span must be one of ${moneySpans.join(', ')}.`, 'span');
}

interface ReadPeriod {
  readonly sums: PeriodSums | null;
  readonly gaps: readonly TotalsGap[];
}

const nothing: ReadPeriod = { sums: null, gaps: [] };

/**
 * Reads day by day, added up by the store, so that a month of many games is never in memory as rows. What was read while events
 * waited is not shown once they do not.
 */
async function readPeriod(
  { clock, totals }: TotalsPorts,
  operatorId: string,
  period: Period,
  {
    zone,
    now,
    until,
  }: { readonly zone: ZoneDays; readonly now: number; readonly until: number | null },
): Promise<ReadPeriod> {
  const parts = partsOfPeriod(period, zone).filter(({ from }) => from <= quarterOf(now));
  const sums = new PeriodSums(parts);
  const gaps: TotalsGap[] = [];
  const last = [period.last, zone.dayOf(now)].toSorted()[0] ?? period.last;
  for (let day = period.first; day <= last; day = dayAfter(day, 1)) {
    const { from, to } = quartersOf(day, zone);
    const within = parts.filter((part) => from < part.to && part.from < to);
    if (within.length === 0) continue;
    const bounds = [from, ...within.map((part) => part.to)];
    const asked = `sums ${JSON.stringify([operatorId, bounds, until])}`;
    const added = await freshly(totals, asked, clock, () => totals.sum(operatorId, bounds));
    sums.add(added);
    gaps.push(...added.gaps);
  }
  return { sums, gaps: gaps.toSorted((one, other) => one.quarter - other.quarter) };
}

function lacksOf(
  zone: ZoneDays,
  { first, last }: Period,
  at: {
    readonly since: number;
    readonly until: number | null;
    readonly now: number;
    readonly gaps: number;
  },
): MoneyLack[] {
  const [{ from }, { to }] = [zone.boundsOf(first), zone.boundsOf(last)];
  const needed = Math.min(to + waitMs, at.now - countingMs);
  const lacks: readonly (readonly [MoneyLack, boolean])[] = [
    ['running', at.now < to],
    ['just over', to <= at.now && at.now < to + waitMs],
    ['waiting', at.until !== null && at.until < needed],
    ['begun within', at.since > from],
    ['gaps', at.gaps > 0],
  ];
  return lacks.filter(([, isSo]) => isSo).map(([lack]) => lack);
}

function gapOf({ quarter, kind, playerId, gameRound }: TotalsGap): MoneyGap {
  return { at: timeText(quarter * 900_000), kind, playerId, gameRound };
}
