import { formatAmount } from '../../../../protocol/money/amount';
import { quarterOf } from '../../../../platform/time/zone-days';
import { type Totals, totalsConsumer } from '../../../wallet';
import type { TakenQuarter } from '../../../minutes/taken';
import type { OperationsSettings } from '../../configuration/options';
import { viewConsumers } from '../health';
import { freshly } from '../query-store';
import type { PeriodPart } from './period';
import { PeriodSums } from './sums';
import { timeText } from '../../../../platform/time/iso';

/** What was taken in a currency. Amounts are decimal texts. */
export interface LastDayMoney {
  readonly currency: string;
  readonly taken: string;
  /** Taken less given; null of one process. */
  readonly kept: string | null;
  /** Rounds; of one process debits. */
  readonly count: number;
}

/** An hour of the last day, in the first currency. */
export interface LastDayHour extends Pick<LastDayMoney, 'taken' | 'kept'> {
  /** Null of one process. */
  readonly given: string | null;
  /** ISO 8601, UTC. */
  readonly from: string;
}

/** What was taken in the last 24 hours, of the operators that are shown. */
export interface LastDayView {
  readonly asOf: string;
  /** `all rounds` by the totals; without these, what the debits took that this process answered. */
  readonly of: 'all rounds' | 'this process';
  /** From when on it is counted: 24 hours ago, or since the counting began. ISO 8601, UTC. */
  readonly from: string;
  /** Where the totals of an operator began later than that: when those of the last one did; ISO 8601, UTC, else null. */
  readonly lastFrom: string | null;
  /** The time of the oldest event that waits to be counted, if it waits for a minute; ISO 8601, UTC. */
  readonly countedUntil: string | null;
  /** False if quarters of an hour are not whole. */
  readonly isWhole: boolean;
  /** The one of most rounds, or debits, first. */
  readonly currencies: readonly LastDayMoney[];
  /** Of the first currency, the oldest first; the last one is not over. */
  readonly hours: readonly LastDayHour[];
}

type Ports = Pick<OperationsSettings, 'store' | 'clock' | 'operators' | 'calls'>;

/** Quarters of an hour. */
const [dayQuarters, hourQuarters] = [96, 4];
const quarterMs = 900_000;
/** Events that wait for less are being counted, in milliseconds. */
const countingMs = 60_000;

/** The money of the last 24 hours; null if nobody counts it. @throws StoreUnavailableError */
export async function viewLastDay(ports: Ports): Promise<LastDayView | null> {
  const end = quarterOf(ports.clock.now()) + 1;
  const hours = Array.from({ length: dayQuarters / hourQuarters }, (_, at): PeriodPart => {
    const from = end - dayQuarters + at * hourQuarters;
    return { name: '', from, to: from + hourQuarters };
  });
  return (await viewTotals(ports, hours)) ?? viewProcess(ports, hours);
}

async function viewTotals(ports: Ports, hours: readonly PeriodPart[]): Promise<LastDayView | null> {
  const { store, clock, operators } = ports;
  const { totals } = store;
  if (totals === undefined) return null;
  // Before the sums: these have all that does not wait now.
  const lag = await viewConsumers(ports);
  const counting = lag?.consumers.find(({ consumer }) => consumer === totalsConsumer);
  if (counting === undefined) return null;
  const { oldest } = counting;
  const asked = `last day ${JSON.stringify([hours[0]?.from, operators, oldest])}`;
  const found = await freshly(totals, asked, clock, () => sumsOf(ports, totals, hours));
  const [first = null, last = first] = [found.begins[0], found.begins.at(-1)];
  if (first === null || last === null) return null;
  const now = clock.now();
  const from = Math.max(first, startOf(hours));
  return {
    asOf: timeText(now),
    of: 'all rounds',
    from: timeText(from),
    lastFrom: last > from ? timeText(last) : null,
    countedUntil: oldest !== null && Date.parse(oldest) < now - countingMs ? oldest : null,
    ...found.money,
  };
}

/** What the totals have, and since when those of each operator that has any, the earliest first. */
async function sumsOf(
  { store, operators }: Ports,
  totals: Totals,
  hours: readonly PeriodPart[],
): Promise<{
  begins: readonly number[];
  money: Pick<LastDayView, 'isWhole' | 'currencies' | 'hours'>;
}> {
  const bounds = [hours[0]?.from ?? 0, ...hours.map(({ to }) => to)];
  const found = await Promise.all(operators.map((operatorId) => totals.sum(operatorId, bounds)));
  const sums = new PeriodSums(hours);
  for (const { parts } of found) sums.add({ parts, games: [] });
  const figures = sums.currencies
    .map((currency) => ({ currency, ...sums.figures(currency, store.decimals) }))
    .toSorted((one, other) => other.rounds - one.rounds);
  const currencies = figures.map(({ currency, taken, kept, rounds: count }) => {
    return { currency, taken, kept, count };
  });
  const parts = figures[0]?.parts ?? [];
  return {
    begins: found.flatMap(({ since }) => since ?? []).toSorted((one, other) => one - other),
    money: {
      isWhole: found.every(({ gaps }) => gaps.length === 0),
      currencies,
      hours: parts.map(({ from, taken, given, kept }) => ({ from, taken, given, kept })),
    },
  };
}

/** What this process took; null if it has no wallet that is watched. */
function viewProcess(
  { store, clock, operators, calls }: Ports,
  hours: readonly PeriodPart[],
): LastDayView | null {
  const recorder = calls?.recorder ?? null;
  if (recorder === null || recorder.served.length === 0) return null;
  const [from, to] = [hours[0]?.from ?? 0, hours.at(-1)?.to ?? 0];
  const text = (quarters: readonly TakenQuarter[]): string =>
    formatAmount(
      quarters.reduce((sum, { units }) => sum + units, 0n),
      store.decimals,
    );
  const found = [...recorder.taken.read(operators, from, to)].map(([currency, quarters]) => {
    const count = quarters.reduce((sum, { debits }) => sum + debits, 0);
    return { money: { currency, taken: text(quarters), kept: null, count }, quarters };
  });
  found.sort((one, other) => other.money.count - one.money.count);
  const [first] = found;
  const partOf = (hour: PeriodPart): LastDayHour => {
    const within = first?.quarters.filter(
      ({ quarter }) => hour.from <= quarter && quarter < hour.to,
    );
    const taken = text(within ?? []);
    return { from: timeText(hour.from * quarterMs), taken, given: null, kept: null };
  };
  return {
    asOf: timeText(clock.now()),
    of: 'this process',
    from: timeText(Math.max(recorder.since, startOf(hours))),
    lastFrom: null,
    countedUntil: null,
    isWhole: true,
    currencies: found.map(({ money }) => money),
    hours: first === undefined ? [] : hours.map(partOf),
  };
}

function startOf(hours: readonly PeriodPart[]): number {
  return (hours[0]?.from ?? 0) * quarterMs;
}
