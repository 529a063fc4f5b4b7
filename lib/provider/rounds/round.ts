import type { CallOptions } from '../../protocol/client/run-call';
import type { RoundReply } from '../../protocol/engine-api/replies';
import type { Amount, JackpotPayout } from '../calls/requests';
import type { LostCall, Recovery } from '../recovery/lost';

/** A call of a round with a lost reply that did not turn out as taken (S2). */
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

/** What a draw of your random number generator leaves in the round (game-engine-api 2.9). */
export interface Draw {
  readonly rngCallId?: string;
  readonly result?: string;
  readonly betData?: Readonly<Record<string, string>>;
}

/** A bet that joins the open round (E8). */
export interface Bet extends Draw {
  readonly stake: Amount;
}

/** A win (E9). */
export interface Win extends Draw {
  readonly winAmount: Amount;
  /** Whether everything open is credited and the round closes; false unless set. */
  readonly collect?: boolean;
  readonly jackpotPayout?: readonly JackpotPayout[];
}

/** A gamble (E10): `wagerAmount` is taken from the open amount, and `winAmount` becomes the open amount. */
export interface Wager extends Draw {
  readonly wagerAmount: Amount;
  readonly winAmount: Amount;
  readonly status?: string;
  readonly jackpotPayout?: readonly JackpotPayout[];
}

/** Spins awarded or used (E11). */
export interface Spins {
  readonly counterType: string;
  readonly awarded?: number;
  readonly used?: number;
  /** Made from the round's id unless set. */
  readonly rngCallId?: string;
  /** Recorded, not paid (E11.2). */
  readonly winAmount?: Amount;
  /** `'{}'` unless set. */
  readonly gameStateResult?: string | Readonly<Record<string, string>>;
}

/** What is voided. */
export interface RoundVoid {
  /** The nth bet of this object, from 2; the whole round unless set (E13.1). */
  readonly bet?: number;
}

/**
 * A round in play. Its calls are made one after the other. Each is made once, with a unique id; if the
 * outcome is unknown, the round is asked for, and the same request is repeated where that cannot count twice
 * (S2). Every method rejects with a GameEngineError or a GameRoundError: check its `outcome`.
 */
export interface GameRound {
  /** The round's hash. */
  readonly id: string;
  /** The last reply of the round. */
  readonly state: RoundReply;
  /**
   * The call with a still unknown outcome; null if there is none. As long as it is set, every method but
   * `recover` is refused: another call could hide it, and the same one with a new id could count twice.
   */
  readonly lost: LostCall | null;
  addBet(bet: Bet, options?: CallOptions): Promise<RoundReply>;
  addWin(win: Win, options?: CallOptions): Promise<RoundReply>;
  wager(wager: Wager, options?: CallOptions): Promise<RoundReply>;
  spins(spins: Spins, options?: CallOptions): Promise<RoundReply>;
  /** Credits everything open and closes the round. */
  end(options?: CallOptions): Promise<RoundReply>;
  void(which?: RoundVoid, options?: CallOptions): Promise<RoundReply>;
  /** Asks again about the lost call; resolves to the state if no call was lost. */
  recover(options?: Pick<CallOptions, 'signal'>): Promise<RoundReply>;
}
