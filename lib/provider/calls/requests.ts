import type { EngineCall, TokenAndRound, WithToken } from '../../protocol/engine-api/requests';
import type { EngineReplies, RoundReply } from '../../protocol/engine-api/replies';
import type { CallOptions } from '../../protocol/client/run-call';
import type { Writable } from '../../protocol/json/write';
import { maxUnits } from '../../protocol/money/amount';

/**
 * An amount of a request, in whole minor units from 0 to 2^53-1: a bigint, a safe integer, or a text of
 * digits (E4.1).
 */
export type Amount = bigint | number | string;

/** What your random number generator gave (game-engine-api 2.9). */
export interface RngResult {
  /** Your id of the draw; an idempotency key where no transaction id is set (E15.1). */
  readonly rngCallId?: string;
  /** A text; 256 characters of it come back in gameState (E9.3). */
  readonly result?: string;
  readonly winAmount?: Amount;
  /** Kept, and shown by getGameRoundHistoryInfo (E14.2). */
  readonly betData?: Readonly<Record<string, string>>;
}

/** A jackpot; its money is inside the amount of its call (game-engine-api 2.10). */
export interface JackpotPayout {
  readonly jackpotId: string;
  readonly jackpotMode?: string;
}

/** The debit of a start or of an added bet. */
export interface DebitInformation {
  readonly debitAmount: Amount;
  /** Three upper-case letters; that of the token (E4.4). */
  readonly currency: string;
  /** At most 32 characters (E4.2); the idempotency key of an added bet. */
  readonly externalGameProviderTransactionId?: string;
  readonly useTicketInfo?: { readonly useTicket: boolean };
}

/** A credit together with the start. */
export interface CreditInformation {
  readonly creditAmount: Amount;
  readonly currency: string;
  readonly externalGameProviderTransactionId?: string;
  readonly jackpotPayout?: readonly JackpotPayout[];
}

/** startGameRound (E7). */
export interface StartGameRound extends WithToken {
  readonly rngResult: RngResult;
  readonly debitInformation: DebitInformation;
  readonly endGame: boolean;
  readonly creditInformation?: CreditInformation;
  readonly closeOpenGame?: boolean;
  readonly useJackpot?: boolean;
  /** At most 32 characters; becomes the round's hash. Without it a lost reply cannot be looked up (E7.7). */
  readonly externalGameProviderRoundId?: string;
}

/** startGameOrAddBet (E8). */
export interface StartGameOrAddBet extends StartGameRound {
  readonly externalGameProviderRoundId: string;
  readonly debitInformation: DebitInformation & {
    readonly externalGameProviderTransactionId: string;
  };
}

/** addWin (E9). */
export interface AddWin extends TokenAndRound {
  readonly rngResult: RngResult & { readonly winAmount: Amount };
  /** Whether everything open is credited and the round closes; false unless set (E9.2). */
  readonly collect?: boolean;
  readonly externalGameProviderTransactionId?: string;
  readonly jackpotPayout?: readonly JackpotPayout[];
}

/** endGameRound and voidGameRound (E12, E13). A transaction id lets voidGameRound name an added bet. */
export interface EndOrVoid extends TokenAndRound {
  readonly externalGameProviderTransactionId?: string;
}

/** collectWin (B2): credits a part of the open amount; the round stays open. */
export interface CollectWin extends TokenAndRound {
  /** All that is open unless set. */
  readonly amount?: Amount;
  readonly externalGameProviderTransactionId?: string;
}

/** wagerWin (E10). */
export interface WagerWin extends TokenAndRound {
  /** `winAmount` becomes the new open amount (E10.2). */
  readonly rngResult: RngResult & { readonly winAmount: Amount };
  readonly wagerInformation: {
    /** What is taken from the open amount. */
    readonly wagerAmount: Amount;
    readonly currency: string;
    readonly winAmount?: Amount;
    readonly status?: string;
    readonly externalGameProviderTransactionId?: string;
    readonly jackpotPayout?: readonly JackpotPayout[];
  };
}

/** addSpinCounterGameState (E11). */
export interface AddSpinCounterGameState extends TokenAndRound {
  readonly counterType: string;
  readonly rngResult: {
    /** The idempotency key, together with the counterType (E11.3). */
    readonly rngCallId: string;
    /** Whole numbers; at least one of them is above 0. */
    readonly result: { readonly awarded?: number; readonly used?: number };
    /** Recorded, not paid (E11.2). */
    readonly winAmount?: Amount;
  };
  readonly gameStateResult: string | Readonly<Record<string, string>>;
}

/** setPlayerData (E20). */
export interface SetPlayerData extends WithToken {
  readonly data: {
    /** Any JSON but null, at most 64 KiB. */
    readonly data: Exclude<Writable, null | undefined>;
    readonly currency?: string;
    readonly stake?: Amount;
    /** A Date, or a strict ISO 8601 date-time. */
    readonly expires?: Date | string;
  };
}

/** getRandomResult (E22.1): numbers of the RGS, from min (0 unless set) to max. */
export interface GetRandomResult extends WithToken {
  /** `getDoubles` draws below max, `getIntegers` up to max. */
  readonly rngEndPoint: 'getDoubles' | 'getIntegers';
  readonly rngPayload: {
    readonly max: number;
    readonly min?: number;
    /** 1 unless set. */
    readonly count?: number;
  };
}

/** The request of every call. */
export interface EngineInputs {
  readonly startGameRound: StartGameRound;
  readonly startGameOrAddBet: StartGameOrAddBet;
  readonly addWin: AddWin;
  readonly endGameRound: EndOrVoid;
  readonly voidGameRound: EndOrVoid;
  readonly collectWin: CollectWin;
  readonly wagerWin: WagerWin;
  readonly addSpinCounterGameState: AddSpinCounterGameState;
  readonly getGameRoundInfo: TokenAndRound;
  readonly getGameRoundHistoryInfo: TokenAndRound;
  readonly getUncollectedAmount: TokenAndRound;
  readonly getAvailableSpinCounter: TokenAndRound & { readonly counterType: string };
  readonly getTokenForGameRound: { readonly gameRound: string };
  readonly getBalance: WithToken;
  readonly getTokenData: WithToken;
  readonly getLastGameRounds: WithToken & { readonly count?: number };
  readonly getPlayerData: WithToken & { readonly currency?: string; readonly stake?: Amount };
  readonly setPlayerData: SetPlayerData;
  readonly getRandomResult: GetRandomResult;
  /** Any JSON. */
  readonly testPing: { readonly testData: Writable };
  readonly getOperatorSettings: {
    readonly game: string;
    readonly operator: string;
    readonly currency: string;
  };
}

/** Units of an amount of a request; null if it is not one (E4.1). */
export function unitsOf(amount: unknown): bigint | null {
  const isDigits = typeof amount === 'string' && /^(?:0|[1-9]\d{0,15})$/.test(amount);
  const isWhole = typeof amount === 'bigint' || Number.isSafeInteger(amount) || isDigits;
  if (!isWhole) return null;
  const units = BigInt(amount as Amount);
  return units >= 0n && units <= maxUnits ? units : null;
}

/** Makes a call at the RGS. Rejects with an EngineClientError. */
export type EngineCaller = <Name extends EngineCall>(
  name: Name,
  request: EngineInputs[Name],
  options?: CallOptions,
) => Promise<EngineReplies[Name]>;

/** Whether the whole round was voided: by its outcome, else by a debit without stake (S2.3). */
export function isVoided({ passThroughData, gameRoundInfo, gameState }: RoundReply): boolean {
  if (gameRoundInfo.status === 'open') return false;
  const outcome = passThroughData['outcome'];
  if (outcome !== undefined) return outcome === 'voided';
  return gameRoundInfo.stake === 0n && gameState.some(({ type }) => type === 'debit');
}
