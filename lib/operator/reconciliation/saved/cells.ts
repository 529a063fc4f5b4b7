import { formatAmount } from '../../../protocol/money/amount';
import { addTo, type Cells, type CellSums, partsOfKey } from '../counting/cells';
import type { Difference } from '../counting/difference';
import type { Reconciliation } from '../counting/result';
import type { SavedCell, SavedGame, SavedSums } from './day';

/** Most games of a currency. */
const mostGames = 50;

/** What differs of a currency or of one of its games, and what both sides have if cells were compared. */
interface Sums {
  readonly differs: Cells;
  readonly ours: Cells;
  readonly theirs: Cells;
}

/** The currencies of a day that were compared or differ, in order. */
export function savedCells(
  { cells }: Reconciliation,
  day: string,
  own: readonly Difference[],
  decimals: number,
): SavedCell[] {
  const ofDay = (all: Cells = new Map()): [{ game: string; currency: string }, CellSums][] =>
    [...all]
      .map(([key, sums]): [ReturnType<typeof partsOfKey>, CellSums] => [partsOfKey(key), sums])
      .filter(([parts]) => parts.day === day);
  const [ours, theirs] = [ofDay(cells?.ours), ofDay(cells?.theirs)];
  const differing = own.map((one): [Difference, CellSums] => [one, one]);
  const currencies = new Set([...ours, ...theirs, ...differing].map(([{ currency }]) => currency));
  return [...currencies].toSorted().map((currency) => {
    const sums = {
      differs: sumsOf(differing, currency),
      ours: sumsOf(ours, currency),
      theirs: sumsOf(theirs, currency),
    };
    const found = own.filter((one) => one.currency === currency);
    const differs = found.some(({ isTolerated }) => !isTolerated) ? 'differs' : 'tolerated';
    const word = found.length === 0 ? 'equal' : differs;
    const { games, bet, win, ...stated } = savedOf(sums, all, decimals);
    const cell = { currency, word, games, bet, win } as const;
    return cells === undefined ? cell : { ...cell, ...stated, ...gamesOf(sums, decimals) };
  });
}

/** The key of the sums over all games; no game is called so, since the keys of games begin with a letter. */
const all = '';
const keyOf = (game: string): string => `g${game}`;

function sumsOf(
  cells: readonly (readonly [{ readonly game: string; readonly currency: string }, CellSums])[],
  currency: string,
): Cells {
  const found: Cells = new Map();
  for (const [parts, sums] of cells) {
    if (parts.currency !== currency) continue;
    addTo(found, all, sums);
    addTo(found, keyOf(parts.game), sums);
  }
  return found;
}

const nothing = { games: 0, bet: 0n, win: 0n };

/** What differs, and what the two sides count on different days: it is between them, and no difference. */
function savedOf(
  { differs, ours, theirs }: Sums,
  key: string,
  decimals: number,
): Omit<SavedGame, 'game'> {
  const [our, their] = [ours.get(key) ?? nothing, theirs.get(key) ?? nothing];
  const differing = differs.get(key) ?? nothing;
  const text = ({ games, bet, win }: Readonly<CellSums>): SavedSums => {
    return { games, bet: formatAmount(bet, decimals), win: formatAmount(win, decimals) };
  };
  const midnight = {
    games: our.games - their.games - differing.games,
    bet: our.bet - their.bet - differing.bet,
    win: our.win - their.win - differing.win,
  };
  const isNone = midnight.games === 0 && midnight.bet === 0n && midnight.win === 0n;
  return {
    ...text(differing),
    stated: text(their),
    ...(!isNone && { midnight: text(midnight) }),
  };
}

function gamesOf(sums: Sums, decimals: number): Pick<SavedCell, 'byGame' | 'gamesLeftOut'> {
  const { differs, ours, theirs } = sums;
  const keys = [...new Set([...ours.keys(), ...theirs.keys()])].filter((key) => key !== all);
  if (keys.every((key) => key === keyOf(''))) return {};
  const taken = (key: string): bigint => theirs.get(key)?.bet ?? 0n;
  const sorted = keys.toSorted((one, other) => {
    const first = Number(differs.has(other)) - Number(differs.has(one));
    if (first !== 0) return first;
    return taken(one) === taken(other) ? (one < other ? -1 : 1) : Number(taken(other) - taken(one));
  });
  const byGame = sorted.slice(0, mostGames).map((key): SavedGame => {
    return { game: key.slice(1), ...savedOf(sums, key, decimals) };
  });
  const gamesLeftOut = sorted.length - byGame.length;
  return { byGame, ...(gamesLeftOut > 0 && { gamesLeftOut }) };
}

/** A currency without its games, which are counted. */
export function noGames({ byGame = [], gamesLeftOut = 0, ...cell }: SavedCell): SavedCell {
  return { ...cell, gamesLeftOut: gamesLeftOut + byGame.length };
}
