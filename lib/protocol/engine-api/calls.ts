/** A map of texts. */
export type Texts = Readonly<Record<string, string>>;

/** What the provider's random number generator gave (game-engine-api 2.9). */
export interface RngResult {
  readonly rngCallId: string | null;
  /** Null if it is absent or not a string. */
  readonly result: string | null;
  /** Units; null if absent. */
  readonly winAmount: bigint | null;
  readonly betData: Texts;
}

/** A jackpot whose money is inside the amount of its call (game-engine-api 2.10). */
export interface JackpotPayout {
  readonly jackpotId: string;
  readonly jackpotMode: string | null;
}

/** The debit of a start or of an added bet. */
export interface DebitInformation {
  /** Units; with a ticket the stake that it pays. */
  readonly debitAmount: bigint;
  readonly currency: string;
  readonly externalGameProviderTransactionId: string | null;
  readonly useTicket: boolean;
}

/** A credit together with the start. */
export interface CreditInformation {
  readonly creditAmount: bigint;
  readonly currency: string;
  readonly externalGameProviderTransactionId: string | null;
  readonly jackpotPayout: readonly JackpotPayout[];
}

/** startGameRound and startGameOrAddBet, read and exact. */
export interface StartGameRound {
  readonly call: 'startGameRound' | 'startGameOrAddBet';
  readonly rngResult: RngResult;
  readonly debitInformation: DebitInformation;
  readonly creditInformation: CreditInformation | null;
  readonly endGame: boolean;
  readonly closeOpenGame: boolean;
  readonly useJackpot: boolean;
  readonly externalGameProviderRoundId: string | null;
}

/** addWin, read and exact; `rngResult.winAmount` is there. */
export interface AddWin {
  readonly call: 'addWin';
  readonly gameRound: string;
  readonly rngResult: RngResult & { readonly winAmount: bigint };
  readonly collect: boolean;
  readonly externalGameProviderTransactionId: string | null;
  readonly jackpotPayout: readonly JackpotPayout[];
}

/** wagerWin, read and exact. */
export interface WagerWin {
  readonly call: 'wagerWin';
  readonly gameRound: string;
  readonly rngResult: RngResult & { readonly winAmount: bigint };
  readonly wagerInformation: {
    readonly wagerAmount: bigint;
    readonly winAmount: bigint | null;
    readonly currency: string;
    readonly status: string | null;
    readonly externalGameProviderTransactionId: string | null;
    readonly jackpotPayout: readonly JackpotPayout[];
  };
}

/** addSpinCounterGameState, read and exact. */
export interface AddSpinCounterGameState {
  readonly call: 'addSpinCounterGameState';
  readonly gameRound: string;
  readonly counterType: string;
  readonly rngCallId: string;
  /** Whole numbers, 0 if absent. */
  readonly awarded: number;
  readonly used: number;
  readonly winAmount: bigint | null;
  /** As text, or JSON as text. */
  readonly gameStateResult: string;
}

/** collectWin, read and exact. */
export interface CollectWin {
  readonly call: 'collectWin';
  readonly gameRound: string;
  /** Null for all that is open. */
  readonly amount: bigint | null;
  readonly externalGameProviderTransactionId: string | null;
}

/** endGameRound and voidGameRound, read and exact. */
export interface EndOrVoid<Name extends 'endGameRound' | 'voidGameRound'> {
  readonly call: Name;
  readonly gameRound: string;
  readonly externalGameProviderTransactionId: string | null;
}

/** The calls that ask for a round; they change nothing. */
export interface RoundQuery {
  readonly call:
    | 'getGameRoundInfo'
    | 'getGameRoundHistoryInfo'
    | 'getUncollectedAmount'
    | 'getAvailableSpinCounter';
  readonly gameRound: string;
}

/** A call on one round that can change it. */
export type RoundCall =
  | AddWin
  | WagerWin
  | AddSpinCounterGameState
  | CollectWin
  | EndOrVoid<'endGameRound'>
  | EndOrVoid<'voidGameRound'>;
