import {
  type ConsumerLag,
  type Totals,
  totalsConsumer,
  type TotalsGap,
  type TotalsRow,
} from '../../wallet';
import type { CountedSide } from '../by-day/statistics';
import { type Attribution, type Part, QuarterSums } from '../counting/cells';
import { Coverage, periodDays } from '../counting/days';
import { ReconciliationFailure } from '../rounds/failure';
import { quarterOf, type ZoneDays } from '../../../platform/time/zone-days';
import { partNames } from './change';

/** Whose totals are read, and of when. */
interface TotalsQuestion {
  readonly operatorId: string;
  readonly from: string;
  readonly to: string;
  readonly zones: readonly ZoneDays[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Each unit of the store is so many units of the comparison. */
  readonly factor: bigint;
}

/**
 * The sums of days from the totals of a store. A day is whole if every event until an hour after its end is counted.
 * @throws ReconciliationFailure if the store keeps no totals of the operator; StoreUnavailableError
 */
export async function readTotals(
  store: {
    readonly totals: Totals;
    readonly events: { lag(operatorId: string): Promise<readonly ConsumerLag[]> };
  },
  question: TotalsQuestion,
): Promise<CountedSide> {
  const { operatorId, from, to, zones, factor } = question;
  const days = periodDays(from, to);
  // Before the rows: these have all that does not wait now.
  const lags = await store.events.lag(operatorId);
  const lag = lags.find(({ consumer }) => consumer === totalsConsumer);
  const bounds = zones.flatMap((zone) => [zone.boundsOf(from), zone.boundsOf(to)]);
  const first = quarterOf(Math.min(...bounds.map((one) => one.from)));
  const last = quarterOf(Math.max(...bounds.map((one) => one.to)));
  const { rows, gaps, since } = await store.totals.read(operatorId, first, last);
  if (lag === undefined || since === null) {
    throw new ReconciliationFailure(
      `the store keeps no totals of ${operatorId}: start the wallet with serve --totals`,
    );
  }
  const coverage = new Coverage({ firstAt: since, lastAt: lag.oldestAt ?? question.now }, days);
  for (const gap of gaps) coverage.noteGap(gap.quarter, reasonOf(gap));
  const sums = new QuarterSums();
  for (const row of rows) if (row.by !== 'own') addRow(sums, row, row.by, factor);
  return { coverage, sums };
}

function addRow(
  quarters: QuarterSums,
  { quarter, game, currency, sums }: TotalsRow,
  by: Attribution,
  factor: bigint,
): void {
  const unitsOf = (name: keyof TotalsRow['sums']): bigint => sums[name] ?? 0n;
  for (const part of Object.keys(partNames) as Part[]) {
    const names = partNames[part];
    const isAny = Object.values(names).some((name) => unitsOf(name) !== 0n);
    if (!isAny) continue;
    quarters.addPart(by, {
      quarter,
      game,
      currency,
      part,
      sums: {
        games: Number(unitsOf(names.games)),
        freePlays: Number(unitsOf(names.freePlays)),
        bet: unitsOf(names.bet) * factor,
        win: unitsOf(names.win) * factor,
      },
    });
  }
}

function reasonOf({ kind, gameRound }: TotalsGap): string {
  return kind === 'round lost'
    ? `round ${gameRound} was deleted before its event was read`
    : `the beginning of round ${gameRound} is missing`;
}
