import type { ExactJsonObject } from '../json/exact';
import type { Texts } from './calls';
import type { EngineCall } from './requests';

/** What a reply can hold besides the members that the kit knows, their numbers exact (C2). */
interface WithFurther {
  /** Always there in a reply that was read. */
  readonly further?: ExactJsonObject;
}

/** The session of a reply (game-engine-api 2.1, E5.7). */
export interface TokenData extends WithFurther {
  readonly operatorId: string;
  readonly playerId: string;
  readonly gameId: string;
  readonly mode: string;
  readonly currency: string;
  /** The token of the next call. */
  readonly currentToken: string;
  /** The open round; null if there is none. */
  readonly gameRound: string | null;
  readonly walletMode: string | null;
  readonly language: string | null;
  /** A decimal text. */
  readonly currencyMultiplier: string | null;
  readonly device: string | null;
}

/** One account of a balance. */
export interface BalanceEntry {
  readonly type: string;
  readonly currency: string | null;
  /** Units; below zero where a reversal took more than there was. */
  readonly amount: bigint;
}

/** The latest balance that the operator reported (game-engine-api 2.2, E17). */
export interface Balance extends WithFurther {
  readonly totalBalance: bigint | null;
  readonly mode: string | null;
  readonly currency: string | null;
  readonly balances: readonly BalanceEntry[];
  /** discountInfo, tickets and ticketInfo as the operator sent them, each as JSON text (E17.2). */
  readonly discountInfo: string | null;
  readonly tickets: string | null;
  readonly ticketInfo: string | null;
}

/** The round of a reply (game-engine-api 2.6). */
export interface GameRoundInfo extends WithFurther {
  readonly hash: string;
  readonly status: string;
  readonly stake: bigint | null;
  /** A decimal text. */
  readonly baseStake: string | null;
  readonly mode: string | null;
  readonly currency: string | null;
  readonly game: string | null;
  /** A decimal text. */
  readonly currencyMultiplier: string | null;
}

/** An entry of gameState (game-engine-api 2.7). */
export interface GameStateEntry extends WithFurther {
  readonly hash: string;
  readonly type: string;
  /** ISO 8601. */
  readonly processedOn: string | null;
  readonly result: { readonly winAmount: bigint | null; readonly info: Texts };
  readonly amountWagered: bigint | null;
  readonly collected: bigint | null;
  readonly reason: string | null;
}

/** The free-play package in use (game-engine-api 2.5). */
export interface FreePlayInfo extends WithFurther {
  readonly used: number;
  readonly granted: number;
  /** Units. */
  readonly won: bigint;
  readonly isLast: boolean;
  readonly serial: string | null;
}

/** Free plays that are left for a stake (game-engine-api 2.4). */
export interface FreePlaysAvailable {
  readonly currency: string;
  readonly stake: bigint;
  readonly count: number;
  readonly feature: string | null;
  readonly serial: string | null;
}

/** What is known of free plays, in connect and in every round reply (E18.3). */
export interface FreePlays {
  readonly freePlayInfo: FreePlayInfo | null;
  /** Empty where none are left; then the member is absent on the wire. */
  readonly freePlaysAvailable: readonly FreePlaysAvailable[];
}

/** The reply to every call on a round (game-engine-api 2.8, C2). */
export interface RoundReply extends FreePlays, WithFurther {
  readonly tokenData: TokenData;
  /** Null as long as none is known (E17.1). */
  readonly balance: Balance | null;
  readonly gameRoundInfo: GameRoundInfo;
  readonly gameState: readonly GameStateEntry[];
  readonly amountToCollect: bigint;
  /** What the wallet has confirmed (E12.1). */
  readonly amountCredited: bigint | null;
  /** `outcome` and `creditPending` of this RGS (E6, E12.1). */
  readonly passThroughData: Texts;
  /** Null in every reply but that of getGameRoundHistoryInfo. */
  readonly protectedInfo: Texts | null;
  /** Null in every reply but that of addSpinCounterGameState. */
  readonly spinsAvailable: number | null;
}

/** An entry of player data (game-engine-api 2.11). */
export interface PlayerDataEntry {
  readonly playerId: string;
  readonly gameId: string;
  readonly currency: string;
  readonly stake: bigint;
  /** JSON text. */
  readonly data: string;
  /** ISO 8601. */
  readonly updated: string | null;
  readonly expires: string | null;
}

/** GameSettings (game-engine-api 2.12): JSON values, by name. */
export type GameSettings = Readonly<
  Record<string, string | number | boolean | readonly string[] | readonly number[]>
>;

/** The reply to GET /connect and /reconnect (C2). */
export interface ConnectReply extends FreePlays, WithFurther {
  readonly token: string;
  readonly backendUrl: string;
  readonly logoutUrl: string | null;
  readonly refreshUrl: string | null;
  readonly tokenData: TokenData;
  readonly balance: Balance | null;
  readonly gameSettings: GameSettings;
}

/** What every reply about a token has. */
export interface TokenDataReply {
  readonly tokenData: TokenData;
}

/** The reply to getUncollectedAmount. */
export interface AmountReply extends TokenDataReply {
  readonly amountToCollect: bigint;
}

/** The reply to getPlayerData and setPlayerData. */
export interface PlayerDataReply {
  readonly data: readonly PlayerDataEntry[];
}

/** The reply to every call of the game provider, exact; absent members are null. */
export interface EngineReplies extends Readonly<Record<EngineCall, object>> {
  readonly startGameRound: RoundReply;
  readonly startGameOrAddBet: RoundReply;
  readonly addWin: RoundReply;
  readonly endGameRound: RoundReply;
  readonly voidGameRound: RoundReply;
  readonly collectWin: RoundReply;
  readonly wagerWin: RoundReply;
  readonly addSpinCounterGameState: RoundReply;
  readonly getGameRoundInfo: RoundReply;
  readonly getGameRoundHistoryInfo: RoundReply;
  readonly getUncollectedAmount: AmountReply;
  readonly getAvailableSpinCounter: AmountReply & { readonly spinsAvailable: number };
  readonly getTokenForGameRound: TokenDataReply;
  readonly getBalance: Balance;
  readonly getTokenData: TokenDataReply;
  readonly getLastGameRounds: TokenDataReply & { readonly gameRounds: readonly GameRoundInfo[] };
  readonly getPlayerData: PlayerDataReply;
  readonly setPlayerData: PlayerDataReply;
  readonly getRandomResult: TokenDataReply & {
    readonly values: readonly number[];
    readonly rngRequestId: string | null;
  };
  readonly testPing: {
    /** JSON text. */
    readonly testDataReceived: string;
    readonly timestamp: string | null;
    readonly gameProviderId: string | null;
    readonly signed: string | null;
  };
  readonly getOperatorSettings: GameSettings;
}
