/** A void, as it reduces what its round counts. */
export interface RoundVoid {
  readonly at: number;
  /** 1 if it took back the whole round. */
  readonly games: 0 | 1;
  readonly bet: bigint;
  readonly win: bigint;
}

/** What a person paid for a round. */
export interface RoundRepair {
  readonly id: string;
  readonly at: number;
  readonly units: bigint;
  readonly currency: string;
  /** Who proposed and who decided; null if the events do not say. */
  readonly by: string | null;
}

/** A round by its events. Amounts in units, times in milliseconds since 1970. */
export interface PlayedRound {
  readonly round: string;
  readonly player: string;
  readonly game: string;
  readonly currency: string;
  /** When its first debit was accepted; null if the events begin in the middle of the round. */
  readonly startedAt: number | null;
  /** When it first was in a state other than open; null while it is open. */
  readonly endedAt: number | null;
  readonly firstAt: number;
  readonly state: string;
  /** 1; 0 if the round was voided as a whole, or never began. */
  readonly games: 0 | 1;
  /** Accepted debits less their discounts and what was voided. */
  readonly bet: bigint;
  /** Accepted credits less what was voided; without repairs. */
  readonly win: bigint;
  readonly isFree: boolean;
  readonly voids: readonly RoundVoid[];
  /** In its currency. */
  readonly repairs: readonly RoundRepair[];
  readonly repairsElsewhere: readonly RoundRepair[];
  readonly credits: readonly bigint[];
  readonly refusedCredits: readonly bigint[];
}

/** Whether it is listed for its repairs alone: no debit or credit of it was accepted, and it counts on no day. */
export function neverBegan({ games, startedAt, endedAt }: PlayedRound): boolean {
  return games === 0 && startedAt === null && endedAt === null;
}

/** What people paid for the round, in its currency. */
export function repairedOf({ repairs }: PlayedRound): bigint {
  return repairs.reduce((sum, { units }) => sum + units, 0n);
}

/** What the round counted before it was voided. */
export function beforeVoids({ games, bet, win, voids }: PlayedRound): {
  games: number;
  bet: bigint;
  win: bigint;
} {
  const sums = { games: games as number, bet, win };
  for (const one of voids) {
    sums.games += one.games;
    sums.bet += one.bet;
    sums.win += one.win;
  }
  return sums;
}
