import { Candidates, named } from './candidates';
import {
  addTo,
  cellKey,
  type Cells,
  type CellSums,
  contributionsOf,
  type Counting,
  partsOfKey,
  QuarterSums,
} from '../counting/cells';
import { Coverage, periodDays } from '../counting/days';
import { type Difference, isWithin, type NamedRound, namedVoid } from '../counting/difference';
import {
  type CellDifference,
  choicesOf,
  differingCells,
  type FitChoices,
  fitCells,
} from '../counting/fit';
import type { SpooledLog } from '../rounds/log';
import { playersOf, type PlayerQuestion } from './players';
import { type Comparison, type Reconciliation, tieNotes } from '../counting/result';
import { beforeVoids, type PlayedRound } from '../rounds/round';
import { eachRound } from '../rounds/parts';
import { UnmatchedVoids } from '../rounds/unmatched-voids';
import type { ZoneDays } from '../../../platform/time/zone-days';

/** A cell as the RGS states it. */
export interface StatedCell extends Readonly<CellSums> {
  readonly currency: string;
  /** Empty unless the RGS groups by game. */
  readonly game: string;
}

/** What the RGS states of a day (operator-api 4.4). */
export interface StatisticsSource {
  /** Whether cells are by game; it may turn false with the first day. */
  readonly byGame: boolean;
  /** What is to be said of the answers. */
  readonly notes?: readonly string[];
  /** @param player Only this one's rounds. */
  cellsOf(day: string, player: string | null): Promise<readonly StatedCell[]>;
}

/** Our side of the cells: sums, and the days that they cover. */
export interface CountedSide {
  readonly coverage: Coverage;
  readonly sums: QuarterSums;
}

/**
 * Compares the sums of days with what the RGS states.
 * @param counted Our side, if it comes from elsewhere than the log: the log then names the rounds alone, and may be empty.
 */
export async function reconcileStatistics(
  log: SpooledLog,
  source: StatisticsSource,
  comparison: Comparison & FitChoices & { readonly players: number },
  counted?: CountedSide,
): Promise<Reconciliation> {
  const voids = new UnmatchedVoids(log.lastAt);
  const { coverage, sums } = counted ?? countLog(log, comparison, voids);
  const { zones, tolerate } = comparison;
  const asked = coverage.days.filter((day) =>
    zones.some((one) => coverage.complete([one]).has(day)),
  );
  const theirs = await askDays(source, asked);
  const { byGame } = source;
  const fit = fitCells(sums, theirs, coverage.complete(zones), byGame, comparison);
  const days = coverage.complete([fit.zone]);
  const ours = sums.cells(fit.counting, fit.zone, days, byGame);
  const stated = new Map([...theirs].filter(([key]) => days.has(partsOfKey(key).day)));
  const cells = differingCells(ours, stated);
  const explained = new Explained(cells, fit.counting, fit.zone, byGame);
  if (cells.length > 0 || counted !== undefined) {
    const unseen = counted === undefined ? undefined : voids;
    for (const round of eachRound(log.spool, unseen)) explained.add(round);
  }
  const question: PlayerQuestion = { log, source, atMost: comparison.players, explained };
  const players = await playersOf(question);
  const unmatched = voids.of(fit.zone, coverage.days);
  return {
    days: [...days],
    incomplete: coverage.incomplete(fit.zone),
    fit,
    isFitted: zones.length > 1 || choicesOf(comparison).length > 1,
    compared: new Set([...ours.keys(), ...stated.keys()]).size,
    cells: { ours, theirs: stated },
    differences: explained.differences(tolerate, players),
    left: 0,
    noted: [...explained.straddling(), ...unmatched.map(namedVoid)],
    unmatched,
    faults: [],
    faulty: 0,
    notes: [...(source.notes ?? []), ...tieNotes(fit)],
  };
}

function countLog(
  log: SpooledLog,
  comparison: Comparison & FitChoices,
  voids: UnmatchedVoids,
): CountedSide {
  const coverage = new Coverage(log, periodDays(comparison.from, comparison.to));
  const sums = new QuarterSums(choicesOf(comparison));
  for (const round of eachRound(log.spool, voids)) {
    coverage.note(round);
    sums.add(round);
  }
  return { coverage, sums };
}

async function askDays(source: StatisticsSource, days: readonly string[]): Promise<Cells> {
  const cells: Cells = new Map();
  for (const day of days) {
    for (const { currency, game, ...sums } of await source.cellsOf(day, null)) {
      addTo(cells, cellKey(day, game, currency), sums);
    }
  }
  return cells;
}

/** A round that the two sides may count on different days, and the cell where the RGS has it. */
interface Straddle {
  readonly round: PlayedRound;
  readonly other: string;
}

/** How near to midnight a round may count on the other day: the clocks of both sides differ, and calls take time. */
const nearMs = 60_000;

/** The cells that differ, with what explains them. */
class Explained {
  readonly #candidates: ReadonlyMap<string, Candidates>;
  readonly #byKey: ReadonlyMap<string, CellDifference>;
  readonly #players = new Map<string, Cells>();
  readonly #straddles = new Map<string, Straddle>();

  constructor(
    readonly cells: readonly CellDifference[],
    private readonly counting: Counting,
    private readonly zone: ZoneDays,
    private readonly byGame: boolean,
  ) {
    this.#candidates = new Map(cells.map((cell) => [cell.key, new Candidates(cell)]));
    this.#byKey = new Map(cells.map((cell) => [cell.key, cell]));
  }

  /** The cells that a round adds to. */
  keysOf(round: PlayedRound): { readonly key: string; readonly sums: CellSums; at: number }[] {
    return contributionsOf(round, this.counting).map(({ at, sums }) => {
      return { key: this.#keyOf(round, at), sums, at };
    });
  }

  add(round: PlayedRound): void {
    for (const [index, { key, sums, at }] of this.keysOf(round).entries()) {
      const cell = this.#byKey.get(key);
      if (cell === undefined) continue;
      const ofPlayers: Cells = this.#players.get(key) ?? new Map();
      if (ofPlayers.size === 0) this.#players.set(key, ofPlayers);
      addTo(ofPlayers, round.player, sums);
      if (index > 0) continue;
      this.#candidates.get(key)?.add(round);
      this.#tryStraddle(round, cell, at);
    }
  }

  /** What each player has in a cell. */
  playersIn(key: string): Cells {
    return this.#players.get(key) ?? new Map();
  }

  /** The candidates of a cell. */
  candidatesOf(key: string): ReturnType<Candidates['result']> {
    return this.#candidates.get(key)?.result() ?? { rounds: [], more: 0 };
  }

  /** Cells that differ still once rounds around midnight are moved. */
  open(): CellDifference[] {
    const others = new Set([...this.#straddles.values()].map(({ other }) => other));
    return this.cells.filter(({ key }) => !this.#straddles.has(key) && !others.has(key));
  }

  straddling(): NamedRound[] {
    return [...this.#straddles].map(([key, { round, other }]) => {
      const [here, there] = [partsOfKey(key).day, partsOfKey(other).day];
      const reason = `counts on ${here} here and on ${there} at the RGS`;
      return { ...named(round, reason), kind: 'straddles midnight' };
    });
  }

  differences(tolerated: bigint, players: ReadonlyMap<string, NamedRound[]>): Difference[] {
    const open = this.open();
    return open.map((cell) => {
      const { key, games, bet, win } = cell;
      const { rounds, more } = this.candidatesOf(key);
      const ofPlayers = players.get(key) ?? [];
      return {
        ...partsOfKey(key),
        games,
        bet,
        win,
        rounds: ofPlayers.length > 0 ? ofPlayers : rounds,
        more: ofPlayers.length > 0 ? 0 : more,
        notes: currencyNotes(cell, open),
        isTolerated: isWithin(cell, tolerated),
      };
    });
  }

  #keyOf({ game, currency }: PlayedRound, at: number): string {
    return cellKey(this.zone.dayOf(at), this.byGame ? game : '', currency);
  }

  /** A round alone closes its cell and the one of the other day. */
  #tryStraddle(round: PlayedRound, cell: CellDifference, at: number): void {
    const { startedAt, endedAt } = round;
    const was = this.counting.voids === 'dated' ? beforeVoids(round) : round;
    if (cell.games !== 1 || cell.bet !== was.bet || cell.win !== was.win) return;
    for (const otherAt of [startedAt, endedAt, at - nearMs, at + nearMs]) {
      const other = otherAt === null ? cell.key : this.#keyOf(round, otherAt);
      const opposite = this.#byKey.get(other);
      if (opposite === undefined || !isOpposite(cell, opposite)) continue;
      if (!this.#straddles.has(cell.key)) this.#straddles.set(cell.key, { round, other });
    }
  }
}

function isOpposite(one: CellDifference, other: CellDifference): boolean {
  return one.games === -other.games && one.bet === -other.bet && one.win === -other.win;
}

/** Two cells of opposite sign in two currencies are one round whose currency differs. */
function currencyNotes(cell: CellDifference, open: readonly CellDifference[]): string[] {
  const { day, game, currency } = partsOfKey(cell.key);
  return open.flatMap((other) => {
    const is = partsOfKey(other.key);
    if (is.day !== day || is.game !== game || is.currency === currency) return [];
    return isOpposite(cell, other)
      ? [`another currency: the opposite of the difference in ${is.currency}`]
      : [];
  });
}
