import type { Recovery } from '../recovery/outcome';

/** A call of a round whose reply was lost, and which did not turn out as taken (S2). */
export class GameRoundError extends Error {
  override readonly name = 'GameRoundError';
  /** The text for the player; null: the RGS gave none. */
  readonly clientmsg: string | null = null;

  constructor(
    /** NOT_TAKEN: never counted. UNDONE: the round was voided. UNCLEAR: a person has to look at the round. */
    readonly code: 'NOT_TAKEN' | 'UNDONE' | 'UNCLEAR',
    readonly gameRound: string,
    /** `refused`: the player's money is as before the call, or before the round. */
    readonly outcome: 'refused' | 'unknown',
    problem: string,
    readonly recovery: Recovery,
  ) {
    super(`${gameRound}: ${problem}`);
  }
}

/** The error for a recovery other than `done`. */
export function errorOf(gameRound: string, recovery: Exclude<Recovery, { kind: 'done' }>): unknown {
  switch (recovery.kind) {
    case 'notTaken':
      return (
        recovery.refusal ??
        new GameRoundError(
          'NOT_TAKEN',
          gameRound,
          'refused',
          'the call never took effect',
          recovery,
        )
      );
    case 'undone':
      return new GameRoundError('UNDONE', gameRound, 'refused', 'the round was voided', recovery);
    case 'unclear':
      return new GameRoundError('UNCLEAR', gameRound, 'unknown', recovery.why, recovery);
  }
}
