import { ZoneDays } from '../platform/time/zone-days';
import type { StatisticsQuery, StatisticsRow } from '../protocol/operator-api/served-messages';
import { JournalError } from './journal/port';
import { sum } from './rounds/amounts';
import type { Round, RoundDebit } from './rounds/round';

/** How statistics count; the words are those of `rgs-wallet reconcile` (E24.3). */
export interface StatisticsCounting {
  /** The time of a round that says on which day it counts; by `end`, a round that has not ended does not count yet. */
  readonly by: 'start' | 'end';
  /** The time zone of the days: UTC, or a name such as Europe/Malta. */
  readonly zone: string;
  /** `restated`: a void takes its bet and win out of the day of the round; `dated`: out of the day of the void. */
  readonly voids: 'restated' | 'dated';
}

/** By start, in UTC, voids restated (E24.3). */
export const defaultCounting: StatisticsCounting = Object.freeze({
  by: 'start',
  zone: 'UTC',
  voids: 'restated',
});

/** What the rounds of one player, game, currency and day came to. */
interface StatisticsCell {
  readonly operatorId: string;
  /** The day that the rounds count on, such as `2026-03-01`. */
  readonly day: string;
  readonly currency: string;
  readonly gameCode: string;
  readonly playerId: string;
  /** Units of the accepted debits less their discounts; free plays count 0. */
  readonly bet: bigint;
  /** Units that the wallet has confirmed. */
  readonly win: bigint;
  readonly games: number;
}

/** What a round or a void adds to the day of a time. */
interface Share extends Pick<StatisticsCell, 'bet' | 'win' | 'games'> {
  readonly at: number;
}

const none: readonly Share[] = [];

/** What a round was played for, less what its voids took back; none if it does not count (E24.3). */
function sharesOf(round: Round, { by, voids }: StatisticsCounting): readonly Share[] {
  const { owner, debits, credits } = round;
  const isDated = voids === 'dated';
  const counts = ({ state }: RoundDebit): boolean =>
    state === 'accepted' || (isDated && state === 'voided');
  const at = by === 'start' ? round.startedAt : endOf(round);
  const [first] = debits;
  if (owner.mode !== 'REAL' || at === null || first === undefined || !counts(first)) return none;
  const bet = sum(debits.filter(counts).map(netOf));
  const paid = credits.filter(({ state }) => state === 'paid');
  const share = { at, games: 1, bet, win: sum(paid.map(({ due }) => due.amount)) };
  return isDated ? [share, ...takenBack(round, share)] : [share];
}

/** When the call came by which the round ended; null while it is open. */
function endOf({ state, lastCallAt }: Round): number | null {
  return state === 'starting' || state === 'open' ? null : lastCallAt;
}

/** What each void takes back: its debit, and of the first debit all that is left of the round. */
function takenBack({ debits, voids }: Round, { bet, win }: Share): Share[] {
  const shares: Share[] = [];
  let left = bet;
  for (const { hash, at } of voids) {
    if (debits[0]?.due.hash === hash) return [...shares, { at, games: -1, bet: -left, win: -win }];
    const taken = sum(debits.filter(({ due }) => due.hash === hash).map(netOf));
    left -= taken;
    shares.push({ at, games: 0, bet: -taken, win: 0n });
  }
  return shares;
}

/** The stake less the discount, in units. */
function netOf({ due: { amount, discount } }: RoundDebit): bigint {
  return amount - (discount?.amount ?? 0n);
}

function areEqual(some: readonly Share[], others: readonly Share[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ at, bet, win }, nth) => {
      const other = others[nth];
      return at === other?.at && bet === other.bet && win === other.win;
    })
  );
}

/** What a cell is known by. */
function cellKey(cell: StatisticsCell): string {
  const { operatorId, day, currency, gameCode, playerId } = cell;
  return JSON.stringify([operatorId, day, currency, gameCode, playerId]);
}

/** Rows of getStats, and the currencies without a known rate: 0 euros, and a finding each (E24.3). */
interface StatisticsAnswer {
  readonly rows: readonly StatisticsRow[];
  readonly withoutRate: readonly string[];
}

/**
 * Groups cells into records: by day, by currency, and by what groupBy adds; with showTotals one record a
 * currency. Sorted by day, currency, game and player (E24.3).
 */
function rowsOf(
  cells: readonly StatisticsCell[],
  { groupBy, showTotals }: StatisticsQuery,
  euroRates: ReadonlyMap<string, string>,
): StatisticsAnswer {
  const groups = new Map<string, StatisticsCell[]>();
  const [byGame, byPlayer] = (['game', 'player'] as const).map(
    (name) => !showTotals && groupBy.includes(name),
  );
  for (const cell of cells) {
    const { day, currency, gameCode, playerId } = cell;
    const key = JSON.stringify([
      showTotals ? '' : day,
      currency,
      byGame === true ? gameCode : '',
      byPlayer === true ? playerId : '',
    ]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [cell]);
    else group.push(cell);
  }
  const withoutRate = new Set<string>();
  const sorted = [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const rows = sorted.map(([, group]): StatisticsRow => {
    const [first] = group as [StatisticsCell, ...StatisticsCell[]];
    const rate = first.currency === 'EUR' ? '1' : (euroRates.get(first.currency) ?? null);
    if (rate === null) withoutRate.add(first.currency);
    const bet = sum(group.map((cell) => cell.bet));
    const win = sum(group.map((cell) => cell.win));
    return {
      DAY: showTotals ? null : first.day,
      currency: first.currency,
      game: byGame === true ? first.gameCode : null,
      playerId: byPlayer === true ? first.playerId : null,
      bet,
      win,
      betInEuro: times(bet, rate ?? '0'),
      winInEuro: times(win, rate ?? '0'),
      games: group.reduce((total, { games }) => total + games, 0),
      player: new Set(group.map(({ playerId }) => playerId)).size,
      RTP: percentOf(win, bet),
    };
  });
  return { rows, withoutRate: [...withoutRate] };
}

/** 100 x win / bet with two decimals, half a hundredth up; 0.00 without a bet (E24.3). */
function percentOf(win: bigint, bet: bigint): string {
  const hundredths = bet === 0n ? 0n : rounded(10_000n * win, bet);
  const digits = String(hundredths).replace('-', '').padStart(3, '0');
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Units times a decimal text, half a unit up. */
function times(units: bigint, rate: string): bigint {
  const [whole = '', fraction = ''] = rate.split('.');
  return rounded(units * BigInt(whole + fraction), 10n ** BigInt(fraction.length));
}

/** A quotient in whole numbers, a half away from zero. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [top, bottom] = [dividend, divisor].map((one) => (one < 0n ? -one : one)) as [
    bigint,
    bigint,
  ];
  const size = (2n * top + bottom) / (2n * bottom);
  return isNegative ? -size : size;
}

/** The event of a snapshot: what rounds came to that may have left since. */
export interface StatisticsKept {
  readonly type: 'statisticsKept';
  readonly cell: StatisticsCell;
  /** How it was counted. */
  readonly counting: StatisticsCounting;
}

/**
 * The statistics of the rounds that were really played (E24.3). They follow the rounds: each change goes
 * through `follow`, at run time as on replay. A snapshot keeps them, so that they outlive the rounds.
 */
export class Statistics {
  readonly #cells = new Map<string, StatisticsCell>();
  readonly #counting: StatisticsCounting;
  readonly #zone: ZoneDays;

  constructor(counting: Partial<StatisticsCounting> = {}) {
    this.#counting = { ...defaultCounting, ...counting };
    this.#zone = new ZoneDays(this.#counting.zone);
  }

  follow(before: Round | null, after: Round): void {
    const was = before === null ? none : sharesOf(before, this.#counting);
    const is = sharesOf(after, this.#counting);
    if (areEqual(was, is)) return;
    for (const share of was) this.#addShare(after, share, -1);
    for (const share of is) this.#addShare(after, share, 1);
  }

  /** @throws JournalError for a cell that was counted in another way: its rounds may have left. */
  apply({ cell, counting }: StatisticsKept): void {
    const [theirs, own] = [counting, this.#counting].map(countingText);
    if (theirs !== own) {
      const what = `the statistics of the journal were counted ${theirs}, and now they are to be counted ${own}`;
      throw new JournalError('OTHER_COUNTING', `${what}: count as before, or use another journal`);
    }
    this.#add(cell, 1);
  }

  *snapshot(): IterableIterator<StatisticsKept> {
    const counting = this.#counting;
    for (const cell of this.#cells.values()) yield { type: 'statisticsKept', cell, counting };
  }

  /** The records of an operator. `euroRates`: euros for one of the currency, as decimal texts. */
  answer(
    operatorId: string,
    query: StatisticsQuery,
    euroRates: ReadonlyMap<string, string>,
  ): StatisticsAnswer {
    const wanted = [...this.#cells.values()].filter(
      (cell) => cell.operatorId === operatorId && isWanted(cell, query),
    );
    return rowsOf(wanted, query, euroRates);
  }

  #addShare({ owner }: Round, { at, bet, win, games }: Share, sign: 1 | -1): void {
    const { operatorId, currency, gameCode, playerId } = owner;
    const day = this.#zone.dayOf(at);
    this.#add({ operatorId, day, currency, gameCode, playerId, bet, win, games }, sign);
  }

  #add(cell: StatisticsCell, sign: 1 | -1): void {
    const key = cellKey(cell);
    const known = this.#cells.get(key);
    const factor = BigInt(sign);
    const games = (known?.games ?? 0) + sign * cell.games;
    const bet = (known?.bet ?? 0n) + factor * cell.bet;
    const win = (known?.win ?? 0n) + factor * cell.win;
    if (games === 0 && bet === 0n && win === 0n) this.#cells.delete(key);
    else this.#cells.set(key, { ...cell, games, bet, win });
  }
}

/** As `rgs-wallet reconcile` says it. */
function countingText({ zone, by, voids }: StatisticsCounting): string {
  return `in ${zone}, by ${by}, voids ${voids}`;
}

function isWanted(cell: StatisticsCell, query: StatisticsQuery): boolean {
  const { dateFrom, dateToIncluding, currency, gameCode, playerId } = query;
  return (
    (dateFrom === null || cell.day >= dateFrom) &&
    (dateToIncluding === null || cell.day <= dateToIncluding) &&
    (currency === null || cell.currency === currency) &&
    (gameCode === null || cell.gameCode === gameCode) &&
    (playerId === null || cell.playerId === playerId)
  );
}
