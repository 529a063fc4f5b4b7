import type { StatisticsQuery, StatisticsRow } from '../protocol/operator-api/served-messages';
import type { Round } from './rounds/round';

/** What the rounds of one player, game, currency and day came to. */
interface StatisticsCell {
  readonly operatorId: string;
  /** The UTC day of the rounds' start, such as `2026-03-01`. */
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

/** The money of one round. */
type Played = Pick<StatisticsCell, 'bet' | 'win'>;

/** What one round was played for; null if it does not count: not for money, or taken back (E24.3). */
function playedOf({ owner, debits, credits }: Round): Played | null {
  if (owner.mode !== 'REAL' || debits[0]?.state !== 'accepted') return null;
  let bet = 0n;
  for (const { state, due } of debits) {
    if (state === 'accepted') bet += due.amount - (due.discount?.amount ?? 0n);
  }
  let win = 0n;
  for (const { state, due } of credits) if (state === 'paid') win += due.amount;
  return { bet, win };
}

/** What the round adds. */
function cellOf({ owner, startedAt }: Round, { bet, win }: Played): StatisticsCell {
  const { operatorId, currency, gameCode, playerId } = owner;
  const day = new Date(startedAt).toISOString().slice(0, 10);
  return { operatorId, day, currency, gameCode, playerId, bet, win, games: 1 };
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
  const hundredths = bet === 0n ? 0n : (20_000n * win + bet) / (2n * bet);
  const digits = hundredths.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Units times a decimal text, half a unit up. */
function times(units: bigint, rate: string): bigint {
  const [whole = '', fraction = ''] = rate.split('.');
  const divisor = 10n ** BigInt(fraction.length);
  return (2n * units * BigInt(whole + fraction) + divisor) / (2n * divisor);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** The event of a snapshot: what rounds came to that may have left since. */
export interface StatisticsKept {
  readonly type: 'statisticsKept';
  readonly cell: StatisticsCell;
}

/**
 * The statistics of the rounds that were really played (E24.3). They follow the rounds: each change goes
 * through `follow`, at run time as on replay. A snapshot keeps them, so that they outlive the rounds.
 */
export class Statistics {
  readonly #cells = new Map<string, StatisticsCell>();

  follow(before: Round | null, after: Round): void {
    const was = before === null ? null : playedOf(before);
    const is = playedOf(after);
    if (was?.bet === is?.bet && was?.win === is?.win) return;
    if (before !== null && was !== null) this.#add(cellOf(before, was), -1);
    if (is !== null) this.#add(cellOf(after, is), 1);
  }

  apply({ cell }: StatisticsKept): void {
    this.#add(cell, 1);
  }

  *snapshot(): IterableIterator<StatisticsKept> {
    for (const cell of this.#cells.values()) yield { type: 'statisticsKept', cell };
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

  #add(cell: StatisticsCell, sign: 1 | -1): void {
    const key = cellKey(cell);
    const known = this.#cells.get(key);
    const factor = BigInt(sign);
    const games = (known?.games ?? 0) + sign * cell.games;
    const bet = (known?.bet ?? 0n) + factor * cell.bet;
    const win = (known?.win ?? 0n) + factor * cell.win;
    if (games === 0) this.#cells.delete(key);
    else this.#cells.set(key, { ...cell, games, bet, win });
  }
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
