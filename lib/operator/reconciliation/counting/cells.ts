import type { PlayedRound } from '../rounds/round';
import { quarterOf, type ZoneDays } from '../../../platform/time/zone-days';

/** Which time of a round says on which day it counts. */
export type Attribution = 'start' | 'end';

/** Where a void counts: on the day of its round, or on its own day. */
type VoidsCount = 'restated' | 'dated';

/** How rounds are counted. */
export interface Counting {
  readonly zone: string;
  readonly by: Attribution;
  readonly voids: VoidsCount;
  /** Whether a free play counts as a game. */
  readonly freePlays: 'counted' | 'left out';
}

/** Sums of a cell: amounts in units. */
export interface CellSums {
  games: number;
  bet: bigint;
  win: bigint;
}

/** Cells by {@link cellKey}. */
export type Cells = Map<string, CellSums>;

/** Day, game and currency as a key; the game is empty where cells are of all games. */
export function cellKey(day: string, game: string, currency: string): string {
  return JSON.stringify([day, game, currency]);
}

/** Day, game and currency of a key. */
export function partsOfKey(key: string): { day: string; game: string; currency: string } {
  const [day = '', game = '', currency = ''] = JSON.parse(key) as string[];
  return { day, game, currency };
}

/** Adds to a cell. */
export function addTo(
  cells: Cells,
  key: string,
  { games, bet, win }: Readonly<CellSums>,
  sign: 1 | -1 = 1,
): void {
  const cell = cells.get(key);
  const factor = BigInt(sign);
  if (cell === undefined) {
    cells.set(key, { games: sign * games, bet: factor * bet, win: factor * win });
    return;
  }
  cell.games += sign * games;
  cell.bet += factor * bet;
  cell.win += factor * win;
}

/** When a round counts; null if it does not yet: it has not ended, or its start is unknown. */
export function countedAt(round: PlayedRound, by: Attribution): number | null {
  return by === 'start' ? round.startedAt : round.endedAt;
}

/** Sums of a part of what counts; of the games, those that are free plays. */
export interface PartSums extends CellSums {
  freePlays: number;
}

/** What counts of rounds, what voids took of these rounds whenever, and what voids took at their own time. */
export type Part = 'counted' | 'voided' | 'back';

/** What a round adds to each part, and when: the rule of all sums. */
export function partsOf(
  round: PlayedRound,
  by: Attribution,
): { readonly at: number; readonly part: Part; readonly sums: PartSums }[] {
  const at = countedAt(round, by);
  if (at === null) return [];
  const sumsOf = ({ games, bet, win }: Readonly<CellSums>): PartSums => {
    return { games, freePlays: round.isFree ? games : 0, bet, win };
  };
  const voids = round.voids.flatMap((one) => [
    { at, part: 'voided' as const, sums: sumsOf(one) },
    { at: one.at, part: 'back' as const, sums: sumsOf(one) },
  ]);
  return [{ at, part: 'counted' as const, sums: sumsOf(round) }, ...voids];
}

/** How often a part counts. */
function weightOf(part: Part, voids: VoidsCount): 1 | 0 | -1 {
  if (part === 'counted') return 1;
  if (voids === 'restated') return 0;
  return part === 'voided' ? 1 : -1;
}

function cellOf({ games, freePlays, bet, win }: PartSums, counts: Counting['freePlays']): CellSums {
  return { games: counts === 'counted' ? games : games - freePlays, bet, win };
}

/** What a round adds, and where: first what it counted, and then of each void that counts on its own day what that took. */
export function contributionsOf(
  round: PlayedRound,
  { by, voids, freePlays }: Omit<Counting, 'zone'>,
): { readonly at: number; readonly sums: CellSums }[] {
  const found: { at: number; sums: CellSums }[] = [];
  for (const { at, part, sums } of partsOf(round, by)) {
    const weight = weightOf(part, voids);
    if (weight === 0) continue;
    const { games, bet, win } = cellOf(sums, freePlays);
    const [first] = found;
    if (part === 'back') {
      found.push({ at, sums: { games: -games, bet: -bet, win: -win } });
    } else if (first === undefined) {
      found.push({ at, sums: { games, bet, win } });
    } else {
      first.sums.games += games;
      first.sums.bet += bet;
      first.sums.win += win;
    }
  }
  return found;
}

const attributions = ['start', 'end'] as const;
const voidsCounts = ['restated', 'dated'] as const;
const freeCounts = ['counted', 'left out'] as const;

/** Every way to count but the zone. */
export const countings: readonly Omit<Counting, 'zone'>[] = attributions.flatMap((by) =>
  voidsCounts.flatMap((voids) => freeCounts.map((freePlays) => ({ by, voids, freePlays }))),
);

/** The parts of a game and a currency in a quarter. */
type Parts = Partial<Record<Part, PartSums>>;

/**
 * Sums of rounds by quarter of an hour, game and currency: from these, the cells of the days of any zone follow for each way to
 * count, without the rounds.
 */
export class QuarterSums {
  readonly #byTime = new Map<Attribution, Map<number, Map<string, Parts>>>();

  /** @param of The ways to count that will be asked for. */
  constructor(of: readonly Omit<Counting, 'zone'>[] = countings) {
    for (const { by } of of) this.#byTime.set(by, new Map());
  }

  add(round: PlayedRound): void {
    for (const by of this.#byTime.keys()) {
      for (const { at, part, sums } of partsOf(round, by)) {
        this.addPart(by, { quarter: quarterOf(at), ...round, part, sums });
      }
    }
  }

  /** Adds to a part of a quarter; nothing if this attribution will not be asked for. */
  addPart(
    by: Attribution,
    to: {
      readonly quarter: number;
      readonly game: string;
      readonly currency: string;
      readonly part: Part;
      readonly sums: Readonly<PartSums>;
    },
  ): void {
    const quarters = this.#byTime.get(by);
    if (quarters === undefined) return;
    const cells = quarters.get(to.quarter) ?? new Map<string, Parts>();
    if (cells.size === 0) quarters.set(to.quarter, cells);
    const key = cellKey('', to.game, to.currency);
    const parts = cells.get(key) ?? {};
    cells.set(key, parts);
    const sums = (parts[to.part] ??= { games: 0, freePlays: 0, bet: 0n, win: 0n });
    sums.games += to.sums.games;
    sums.freePlays += to.sums.freePlays;
    sums.bet += to.sums.bet;
    sums.win += to.sums.win;
  }

  /** The cells of these days; of all games together unless `byGame`. */
  cells(counting: Counting, zone: ZoneDays, days: ReadonlySet<string>, byGame: boolean): Cells {
    const byDay = new Map<string, Cells>();
    for (const [quarter, cells] of this.#byTime.get(counting.by) ?? []) {
      const day = zone.dayOfQuarter(quarter);
      if (!days.has(day)) continue;
      const ofDay: Cells = byDay.get(day) ?? new Map();
      if (ofDay.size === 0) byDay.set(day, ofDay);
      for (const [key, parts] of cells) addParts(ofDay, key, parts, counting);
    }
    const folded: Cells = new Map();
    for (const [day, cells] of byDay) {
      for (const [key, sums] of cells) {
        const { game, currency } = partsOfKey(key);
        addTo(folded, cellKey(day, byGame ? game : '', currency), sums);
      }
    }
    return folded;
  }
}

function addParts(cells: Cells, key: string, parts: Parts, counting: Counting): void {
  for (const [part, sums] of Object.entries(parts) as [Part, PartSums][]) {
    const weight = weightOf(part, counting.voids);
    if (weight !== 0) addTo(cells, key, cellOf(sums, counting.freePlays), weight);
  }
}
