import { type AmountInput, unitsOf } from '../../../protocol/money/amount';
import { type RoundState, roundStates } from '../../gameround/round';
import type { RoundKey, RoundsQuery } from '../../wallet';
import { checkRoundKey, checkRoundsQuery, isPlainText } from '../check-input';

/** A query of rounds, complete: null for a filter that is not set. */
export interface CheckedRoundsQuery {
  readonly cursor: string | null;
  readonly limit: number;
  readonly from: number | null;
  readonly to: number | null;
  readonly game: string | null;
  readonly state: RoundState | null;
  readonly min: bigint | null;
}

/** The last millisecond that a Date can be. */
const lastMoment = 8.64e15;

/** @throws TypeError that names what is wrong in the query. */
export function checkHistoryQuery(
  query: RoundsQuery | undefined,
  decimals: number,
): CheckedRoundsQuery {
  const page = checkRoundsQuery(query);
  const { from = null, to = null, game = null, state = null, min = null } = query ?? {};
  checkPeriod(from, to);
  if (game !== null && !isPlainText(game, 1, 256)) {
    throw new TypeError('game must be the code of a game, 1 to 256 characters');
  }
  if (state !== null && !roundStates.includes(state)) {
    throw new TypeError(`state must be one of ${roundStates.join(', ')}`);
  }
  return { ...page, from, to, game, state, min: min === null ? null : minOf(min, decimals) };
}

/** @throws InvalidInputError or TypeError that names what is wrong in the round or the time. */
export function checkBeside(round: RoundKey, openedAt: number): void {
  checkRoundKey(round);
  if (Number.isSafeInteger(openedAt) && openedAt >= 0 && openedAt <= lastMoment) return;
  throw new TypeError('openedAt must be a time in milliseconds since 1970');
}

/** @throws TypeError unless these are moments, in order, or not set. */
export function checkPeriod(from: number | null, to: number | null): void {
  for (const [name, at] of Object.entries({ from, to })) {
    if (at === null || (Number.isSafeInteger(at) && at >= 0 && at <= lastMoment)) continue;
    throw new TypeError(`${name} must be a time in milliseconds since 1970`);
  }
  if (from !== null && to !== null && from >= to) throw new TypeError('from must be before to');
}

function minOf(min: AmountInput, decimals: number): bigint {
  try {
    return unitsOf(min, decimals);
  } catch (error) {
    throw new TypeError(`min: ${(error as TypeError).message}`, { cause: error });
  }
}

/** What tells the pages of this query from those of one with other filters; null without any. */
export function filterOf({ from, to, game, state, min }: CheckedRoundsQuery): string | null {
  const filter = [from, to, game, state, min === null ? null : String(min)];
  return filter.every((one) => one === null) ? null : JSON.stringify(filter);
}
