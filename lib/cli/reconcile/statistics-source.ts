import type { Statistics, StatisticsRecord } from '../../operator/client';
import type { StatedCell, StatisticsSource } from '../../operator/reconciliation/by-day/statistics';
import { readExactAmount } from '../../protocol/json/exact';
import { type CallFlags, callRgs } from '../call/client';
import { CommandFailure, messageOf } from '../terminal/failure';

/** How the RGS is asked to group by game: a key of groupBy, and the member of a record that has the game. */
export interface ByGame {
  readonly key: string;
  readonly member: string;
}

/** `KEY` or `KEY=MEMBER`. @throws CommandFailure */
export function readByGame(text: string): ByGame {
  const [key = '', member = key, ...rest] = text.split('=');
  if (key !== '' && member !== '' && rest.length === 0) return { key, member };
  throw new CommandFailure('--by-game must be KEY or KEY=MEMBER.');
}

/** Asks the RGS by getStats, one call at a time. */
export function statisticsSource(
  flags: CallFlags,
  byGame: ByGame | null,
  decimals: number,
): StatisticsSource {
  return {
    byGame: byGame !== null,
    async cellsOf(day, player) {
      const { records } = await ask(flags, {
        filterBy: { dateFrom: day, dateToIncluding: day },
        ...(byGame === null ? {} : { groupBy: [byGame.key] }),
        ...(player === null ? {} : { playerId: player }),
      });
      return records.map((record) => statedCell(record, day, byGame, decimals));
    },
  };
}

type Request = Parameters<Parameters<Parameters<typeof callRgs>[1]>[0]['getStats']>[0];

/** @throws CommandFailure if the RGS refuses, fails or cannot be reached: nothing can be compared. */
async function ask(flags: CallFlags, request: Request): Promise<Statistics> {
  try {
    return await callRgs(flags, (client) => client.getStats(request));
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`The RGS was asked by getStats: ${messageOf(error)}`);
  }
}

function statedCell(
  record: StatisticsRecord,
  day: string,
  byGame: ByGame | null,
  decimals: number,
): StatedCell {
  const { DAY, currency, games, bet, win, further } = record;
  if (DAY !== null && DAY.slice(0, 10) !== day) throw unusable(day, 'is of another day');
  if (currency === null || games === null) throw unusable(day, 'has no currency or no games');
  const game = byGame === null ? '' : further[byGame.member];
  if (typeof game !== 'string') throw unusable(day, 'has no text in the member of --by-game');
  return {
    currency,
    game,
    games,
    bet: unitsOf(bet, day, decimals),
    win: unitsOf(win, day, decimals),
  };
}

function unitsOf(text: string | null, day: string, decimals: number): bigint {
  try {
    if (text !== null) return readExactAmount(text, decimals);
  } catch {
    throw unusable(day, `has an amount with more than ${decimals} decimals: --decimals sets more`);
  }
  throw unusable(day, 'has no bet or no win');
}

function unusable(day: string, what: string): CommandFailure {
  return new CommandFailure(`A record of getStats for ${day} ${what}.`);
}
