import { beforeVoids, type PlayedRound } from '../rounds/round';
import { quarterOf, type ZoneDays } from '../rounds/zone-days';

/** Which time of a round says on which day it counts. */
export type Attribution = 'start' | 'end';

/** Where a void counts: on the day of its round, or on its own day. */
export type VoidsCount = 'restated' | 'dated';

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

/** What a round adds, and where. */
export function contributionsOf(
  round: PlayedRound,
  { by, voids, freePlays }: Omit<Counting, 'zone'>,
): { readonly at: number; readonly sums: CellSums }[] {
  const at = countedAt(round, by);
  if (at === null) return [];
  const factor = freePlays === 'left out' && round.isFree ? 0 : 1;
  const { games, bet, win } = voids === 'dated' ? beforeVoids(round) : round;
  const first = { at, sums: { games: factor * games, bet, win } };
  if (voids === 'restated') return [first];
  const back = round.voids.map((one) => ({
    at: one.at,
    sums: { games: -factor * one.games, bet: -one.bet, win: -one.win },
  }));
  return [first, ...back];
}

const attributions = ['start', 'end'] as const;
const voidsCounts = ['restated', 'dated'] as const;
const freeCounts = ['counted', 'left out'] as const;

/** Every way to count but the zone. */
export const countings: readonly Omit<Counting, 'zone'>[] = attributions.flatMap((by) =>
  voidsCounts.flatMap((voids) => freeCounts.map((freePlays) => ({ by, voids, freePlays }))),
);

/** A way to count as a name. */
function nameOf({ by, voids, freePlays }: Omit<Counting, 'zone'>): string {
  return `${by} ${voids} ${freePlays}`;
}

/**
 * Sums of rounds by quarter of an hour, game and currency, for each way to count: from these, the cells of the days of any
 * zone follow without the rounds.
 */
export class QuarterSums {
  readonly #byCounting = new Map<string, Map<number, Cells>>();

  /** @param of The ways to count that will be asked for. */
  constructor(private readonly of: readonly Omit<Counting, 'zone'>[] = countings) {
    for (const one of of) this.#byCounting.set(nameOf(one), new Map());
  }

  add(round: PlayedRound): void {
    const key = cellKey('', round.game, round.currency);
    for (const counting of this.of) {
      const quarters = this.#byCounting.get(nameOf(counting));
      for (const { at, sums } of contributionsOf(round, counting)) {
        const quarter = quarterOf(at);
        const cells: Cells = quarters?.get(quarter) ?? new Map();
        if (cells.size === 0) quarters?.set(quarter, cells);
        addTo(cells, key, sums);
      }
    }
  }

  /** The cells of these days; of all games together unless `byGame`. */
  cells(counting: Counting, zone: ZoneDays, days: ReadonlySet<string>, byGame: boolean): Cells {
    const byDay = new Map<string, Cells>();
    for (const [quarter, cells] of this.#byCounting.get(nameOf(counting)) ?? []) {
      const day = zone.dayOfQuarter(quarter);
      if (!days.has(day)) continue;
      const ofDay: Cells = byDay.get(day) ?? new Map();
      if (ofDay.size === 0) byDay.set(day, ofDay);
      for (const [key, sums] of cells) addTo(ofDay, key, sums);
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
