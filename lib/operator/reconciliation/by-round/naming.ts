import {
  addTo,
  cellKey,
  type Cells,
  countedAt,
  type Counting,
  partsOfKey,
} from '../counting/cells';
import {
  type Difference,
  type DifferenceKind,
  isWithin,
  type NamedRound,
} from '../counting/difference';
import type { Fit } from '../counting/fit';
import type { Comparison, Reconciliation } from '../counting/result';
import { neverBegan, type PlayedRound } from '../rounds/round';
import type { ZoneDays } from '../../../platform/time/zone-days';
import type { RowText } from './export-rows';
import type { GameNames } from './game-names';
import { judge, rowSide, sideOf } from './judge';
import type { Pair, SameRounds } from './pairs';

/** Most rounds that a result names. */
const mostNamed = 10_000;

/** What comparing by rounds needs besides. */
export interface NamingRequest extends Comparison {
  /** How long a round may be open on one side alone, in milliseconds. */
  readonly openMs: number;
}

/** The days that are compared, and what the events cover of them. */
interface Covered {
  readonly period: ReadonlySet<string>;
  readonly complete: ReadonlySet<string>;
  /** Time of the last event. */
  readonly lastAt: number;
}

const dayMs = 86_400_000;

/** Names the rounds that differ, by cell. */
export class Naming {
  readonly #period: ReadonlySet<string>;
  readonly #complete: ReadonlySet<string>;
  /** When the days begin, as if in UTC, that the events do not cover. */
  readonly #gaps: readonly number[];
  readonly #rounds = new Map<string, NamedRound[]>();
  readonly #sums: Cells = new Map();
  readonly #noted: NamedRound[] = [];
  #compared = 0;
  #count = 0;

  constructor(
    private readonly fit: Fit,
    private readonly covered: Covered,
    private readonly games: GameNames,
    private readonly request: NamingRequest,
  ) {
    const { period, complete } = covered;
    [this.#period, this.#complete] = [period, complete];
    this.#gaps = [...period].filter((day) => !complete.has(day)).map((day) => Date.parse(day));
  }

  /** Adds rounds that are the same on both sides, all of days of the period. */
  addSame(same: SameRounds): void {
    for (const [quarter, count] of same.counts(this.fit.counting.by)) {
      if (!this.#isOfGap(this.fit.zone.dayOfQuarter(quarter))) this.#compared += count;
    }
  }

  /** Adds a round of either side, or of both. */
  add(pair: Pair): void {
    const { ours, theirs } = pair;
    if (theirs !== null && theirs[9] !== null) return;
    const day = this.#dayOf(ours, this.fit.counting, this.fit.zone);
    if (theirs === null) return this.#addOurs(ours, day);
    if (ours === null) return this.#addTheirs(theirs);
    if (neverBegan(ours)) return this.#addRepaired(ours, theirs);
    if (day === null ? this.#mayBeOfGap(theirs) : this.#isOfGap(day)) return;
    this.#compared += 1;
    if (day !== null && !this.#period.has(day)) {
      this.#note(pair, 'straddles midnight', `counts on ${day} here`);
    }
    const { kind, isNote, reason } = judge(ours, theirs, this.#isYoung(ours));
    if (kind === null || (kind === 'another game' && !this.games.areTwo(ours, theirs))) return;
    if (isNote) this.#note(pair, kind, reason);
    else this.#name(pair, kind, day, reason);
  }

  #addOurs(ours: PlayedRound | null, day: string | null): void {
    if (ours === null || day === null || !this.#complete.has(day)) return;
    this.#compared += 1;
    if (ours.games === 0 || (ours.bet === 0n && ours.win === 0n && this.#isYoung(ours))) return;
    const by = this.fit.counting.by === 'start' ? 'end' : 'start';
    const other = this.#dayOf(ours, { ...this.fit.counting, by }, this.fit.zone);
    const pair = { ours, theirs: null };
    if (other !== null && !this.#period.has(other)) {
      this.#note(pair, 'straddles midnight', `counts on ${day}, or on ${other} by ${by}`);
    } else this.#name(pair, 'unknown to the RGS', day, null);
  }

  /** Adds a round that never began, and that people paid: it counts on the day of its row. */
  #addRepaired(ours: PlayedRound, theirs: RowText): void {
    const { kind, reason } = judge(ours, theirs, false);
    const isOfGap = this.#mayBeOfGap(theirs);
    if (!isOfGap) this.#compared += 1;
    if (kind === null) return;
    if (isOfGap) this.#note({ ours, theirs }, kind, reason);
    else this.#name({ ours, theirs }, kind, theirs[8], reason);
  }

  #addTheirs(theirs: RowText): void {
    if (theirs[7] === 'voided' || (theirs[4] === 0 && theirs[5] === 0)) {
      this.#compared += 1;
      return;
    }
    const pair = { ours: null, theirs };
    if (this.#mayBeOfGap(theirs)) {
      this.#note(pair, 'unknown to the wallet', 'the events may not cover its day');
      return;
    }
    this.#compared += 1;
    this.#name(pair, 'unknown to the wallet', theirs[8], null);
  }

  #isOfGap(day: string): boolean {
    return this.#period.has(day) && !this.#complete.has(day);
  }

  /** Whether a row may be of a day that the events do not cover: its time is of any zone, or it has none. */
  #mayBeOfGap(theirs: RowText): boolean {
    const at = Date.parse(theirs[8] ?? '');
    return this.#gaps.some((gap) => !(Math.abs(gap - at) > dayMs));
  }

  /** Whether it may still change: it was played shortly before the events end. */
  #isYoung({ startedAt, firstAt }: PlayedRound): boolean {
    return (startedAt ?? firstAt) > this.covered.lastAt - this.request.openMs;
  }

  #dayOf(ours: PlayedRound | null, { by }: Counting, zone: ZoneDays): string | null {
    const at = ours && countedAt(ours, by);
    return at === null ? null : zone.dayOf(at);
  }

  #note(pair: Pair, kind: DifferenceKind, reason: string | null): void {
    if (this.#noted.length < mostNamed) this.#noted.push(namedOf(pair, kind, reason));
  }

  #name(
    { ours, theirs }: Pair,
    kind: DifferenceKind,
    day: string | null,
    reason: string | null,
  ): void {
    this.#count += 1;
    if (this.#count > mostNamed) return;
    const currency = ours?.currency ?? theirs?.[3] ?? '';
    const key = cellKey(day ?? '', ours?.game ?? theirs?.[2] ?? '', currency);
    const named = namedOf({ ours, theirs }, kind, reason);
    this.#rounds.set(key, [...(this.#rounds.get(key) ?? []), named]);
    if (ours !== null) addTo(this.#sums, key, ours);
    if (theirs === null || theirs[7] === 'voided') return;
    const sums = { games: 1, bet: BigInt(theirs[4]), win: BigInt(theirs[5]) };
    // In another currency or game it is another cell, but the round is named once.
    if (theirs[3] === currency && kind !== 'another game') addTo(this.#sums, key, sums, -1);
  }

  /** What was named. */
  result(
    tolerated: bigint,
  ): Pick<Reconciliation, 'days' | 'compared' | 'differences' | 'left' | 'noted'> {
    const keys = [...this.#rounds.keys()].toSorted();
    const differences = keys.map((key): Difference => {
      const { day, ...names } = partsOfKey(key);
      const sums = this.#sums.get(key) ?? { games: 0, bet: 0n, win: 0n };
      const rounds = this.#rounds.get(key) ?? [];
      const isOfAmounts = rounds.every(
        ({ kind }) => kind === 'bet differs' || kind === 'win differs',
      );
      const isTolerated = isOfAmounts && isWithin(sums, tolerated);
      const more = { more: 0, notes: [] };
      return { day: day === '' ? null : day, ...names, ...sums, rounds, ...more, isTolerated };
    });
    const left = Math.max(0, this.#count - mostNamed);
    const [days, noted] = [[...this.#complete], this.#noted];
    return { days, compared: this.#compared, differences, left, noted };
  }
}

function namedOf({ ours, theirs }: Pair, kind: DifferenceKind, reason: string | null): NamedRound {
  return {
    round: ours?.round ?? theirs?.[0] ?? '',
    player: ours?.player ?? theirs?.[1] ?? null,
    kind,
    reason,
    ours: ours && sideOf(ours),
    theirs: theirs && rowSide(theirs),
  };
}
