import { type Cells, type CellSums, type Counting, countings, type QuarterSums } from './cells';
import type { ZoneDays } from '../../../platform/time/zone-days';

/** A cell that differs: ours less theirs. */
export interface CellDifference extends Readonly<CellSums> {
  readonly key: string;
}

/** The cells of which the two sides have different sums; a cell that one side lacks counts as zero there. */
export function differingCells(ours: Cells, theirs: Cells): CellDifference[] {
  const differences: CellDifference[] = [];
  const none = { games: 0, bet: 0n, win: 0n };
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    const [our, their] = [ours.get(key) ?? none, theirs.get(key) ?? none];
    const games = our.games - their.games;
    const [bet, win] = [our.bet - their.bet, our.win - their.win];
    if (games !== 0 || bet !== 0n || win !== 0n) differences.push({ key, games, bet, win });
  }
  return differences.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

/** What may be fitted: a value that is set is not. */
export interface FitChoices {
  readonly zones: readonly ZoneDays[];
  readonly by?: Counting['by'] | undefined;
  readonly voids?: Counting['voids'] | undefined;
  readonly freePlays?: Counting['freePlays'] | undefined;
}

/** The ways to count that are tried. */
export function choicesOf({ by, voids, freePlays }: FitChoices): Omit<Counting, 'zone'>[] {
  return countings.filter(
    (one) =>
      (by ?? one.by) === one.by &&
      (voids ?? one.voids) === one.voids &&
      (freePlays ?? one.freePlays) === one.freePlays,
  );
}

/** How the other side seems to count. */
export interface Fit {
  readonly counting: Counting;
  readonly zone: ZoneDays;
  /** Cells that differ. */
  readonly differing: number;
  /** The least of any other way to count that is not equal on these days; null if there is none. */
  readonly next: number | null;
  /** Other ways to count with as few differing cells. */
  readonly ties: readonly Counting[];
}

/** The way to count with the fewest differing cells; of several the first one. */
export function fitCells(
  sums: QuarterSums,
  theirs: Cells,
  days: ReadonlySet<string>,
  byGame: boolean,
  choices: FitChoices,
): Fit {
  const tried = choices.zones.flatMap((zone) =>
    choicesOf(choices).map((one) => {
      const counting = { zone: zone.zone, ...one };
      const ours = sums.cells(counting, zone, days, byGame);
      return { counting, zone, differing: differingCells(ours, theirs).length };
    }),
  );
  return bestOf(tried);
}

/** The best of the ways that were tried, of which there is at least one. */
export function bestOf(
  tried: readonly { counting: Counting; zone: ZoneDays; differing: number }[],
): Fit {
  const [best, ...others] = tried.toSorted((one, other) => one.differing - other.differing);
  if (best === undefined) throw new TypeError('there is no way to count');
  const ties = others.filter(({ differing }) => differing === best.differing);
  const next = others.find(({ differing }) => differing > best.differing)?.differing ?? null;
  return { ...best, next, ties: ties.map(({ counting }) => counting) };
}
