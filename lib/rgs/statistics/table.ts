import type { StatisticsQuery } from '../../protocol/operator-api/served';
import type { Round } from '../rounds';
import { cellKey, cellOf, playedOf, type StatisticsCell } from './cell';
import { rowsOf, type StatisticsAnswer } from './rows';

/** The event of a snapshot: what rounds came to that may have left since. */
export interface StatisticsKept {
  readonly type: 'statisticsKept';
  readonly cell: StatisticsCell;
}

/**
 * The statistics of the rounds that were really played (E24.3). They follow the rounds: each change goes
 * through `follow`, at run time as on replay. A snapshot keeps them, so that they outlive the rounds.
 */
export interface Statistics {
  follow(before: Round | null, after: Round): void;
  apply(event: StatisticsKept): void;
  snapshot(): IterableIterator<StatisticsKept>;
  /** The records of an operator. `euroRates`: euros for one of the currency, as decimal texts. */
  answer(
    operatorId: string,
    query: StatisticsQuery,
    euroRates: ReadonlyMap<string, string>,
  ): StatisticsAnswer;
}

/** No round was played at first. */
export function createStatistics(): Statistics {
  const cells = new Map<string, StatisticsCell>();
  const add = (cell: StatisticsCell, sign: 1 | -1): void => {
    const key = cellKey(cell);
    const known = cells.get(key);
    const factor = BigInt(sign);
    const games = (known?.games ?? 0) + sign * cell.games;
    const bet = (known?.bet ?? 0n) + factor * cell.bet;
    const win = (known?.win ?? 0n) + factor * cell.win;
    if (games === 0) cells.delete(key);
    else cells.set(key, { ...cell, games, bet, win });
  };
  return {
    follow(before, after) {
      const was = before === null ? null : playedOf(before);
      const is = playedOf(after);
      if (was?.bet === is?.bet && was?.win === is?.win) return;
      if (before !== null && was !== null) add(cellOf(before, was), -1);
      if (is !== null) add(cellOf(after, is), 1);
    },
    apply: ({ cell }) => add(cell, 1),
    *snapshot() {
      for (const cell of cells.values()) yield { type: 'statisticsKept', cell };
    },
    answer: (operatorId, query, euroRates) => {
      const wanted = [...cells.values()].filter(
        (cell) => cell.operatorId === operatorId && isWanted(cell, query),
      );
      return rowsOf(wanted, query, euroRates);
    },
  };
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
