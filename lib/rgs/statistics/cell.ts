import type { Round } from '../rounds';

/** What the rounds of one player, game, currency and day came to. */
export interface StatisticsCell {
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
export type Played = Pick<StatisticsCell, 'bet' | 'win'>;

/** What one round was played for; null if it does not count: not for money, or taken back (E24.3). */
export function playedOf({ owner, debits, credits }: Round): Played | null {
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
export function cellOf({ owner, startedAt }: Round, { bet, win }: Played): StatisticsCell {
  const { operatorId, currency, gameCode, playerId } = owner;
  const day = new Date(startedAt).toISOString().slice(0, 10);
  return { operatorId, day, currency, gameCode, playerId, bet, win, games: 1 };
}

/** What a cell is known by. */
export function cellKey(cell: StatisticsCell): string {
  const { operatorId, day, currency, gameCode, playerId } = cell;
  return JSON.stringify([operatorId, day, currency, gameCode, playerId]);
}
