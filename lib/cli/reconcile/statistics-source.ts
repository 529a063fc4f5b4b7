import { ServiceError, type Statistics, type StatisticsRecord } from '../../operator/client';
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

/** Asks the RGS by getStats, one call at a time. A key that it refuses is dropped with the first answer, and that is noted. */
export class StatisticsByCalls implements StatisticsSource {
  readonly notes: string[] = [];
  #byGame: ByGame | null;
  #isFirst = true;

  constructor(
    private readonly flags: CallFlags,
    byGame: ByGame | null,
    private readonly decimals: number,
  ) {
    this.#byGame = byGame;
  }

  get byGame(): boolean {
    return this.#byGame !== null;
  }

  /** @throws CommandFailure if the RGS refuses, fails or cannot be reached: nothing can be compared. */
  async cellsOf(day: string, player: string | null): Promise<readonly StatedCell[]> {
    const request = {
      filterBy: { dateFrom: day, dateToIncluding: day },
      ...(player === null ? {} : { playerId: player }),
    };
    const { records } = await this.#ask(request);
    this.#isFirst = false;
    return records.map((record) => statedCell(record, day, this.#byGame, this.decimals));
  }

  async #ask(request: Request): Promise<Statistics> {
    const byGame = this.#byGame;
    if (byGame === null) return this.#call(request);
    const grouped = { ...request, groupBy: [byGame.key] };
    if (!this.#isFirst) return this.#call(grouped);
    try {
      return await this.#call(grouped);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Whether it was the key shows without it: if that is refused too, something else is wrong.
      const statistics = await this.#call(request);
      this.#byGame = null;
      const line = messageOf(error);
      this.notes.push(`--by-game ${byGame.key} was refused, cells are of all games: ${line}`);
      return statistics;
    }
  }

  async #call(request: Request): Promise<Statistics> {
    try {
      return await callRgs(this.flags, (client) => client.getStats(request));
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      const line = `The RGS was asked by getStats: ${messageOf(error)}`;
      throw new CommandFailure(line, { cause: error });
    }
  }
}

type Request = Parameters<Parameters<Parameters<typeof callRgs>[1]>[0]['getStats']>[0];

/** Whether the RGS answered that the request is wrong, rather than failed. */
function isRefusal(failure: unknown): boolean {
  const cause = causeOf(causeOf(failure));
  return cause instanceof ServiceError && cause.status < 500;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
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
