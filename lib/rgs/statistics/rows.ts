import type { StatisticsQuery, StatisticsRow } from '../../protocol/operator-api/served';
import type { StatisticsCell } from './cell';

/** Rows of getStats, and the currencies whose rate in euro is not known: 0 euros, and a finding each (E24.3). */
export interface StatisticsAnswer {
  readonly rows: readonly StatisticsRow[];
  readonly withoutRate: readonly string[];
}

/**
 * Groups cells into records: by day, by currency, and by what groupBy adds; with showTotals one record a
 * currency. Sorted by day, currency, game and player (E24.3).
 */
export function rowsOf(
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
