import type {
  AddSpinCounterGameState,
  AddWin,
  CollectWin,
  EndOrVoid,
  StartGameRound,
  WagerWin,
} from './calls';
import { schemasOf } from '../../platform/validation';

/** A call with a player's token. */
export interface WithToken {
  readonly token: string;
}

/** A call on a round of the token's player and game. */
export interface TokenAndRound extends WithToken {
  /** The round's hash; case-sensitive (E4.2). */
  readonly gameRound: string;
}

/** Every call of the game provider, read and exact; absent optional members are null. */
export interface EngineRequests {
  readonly startGameRound: StartGameRound & WithToken;
  readonly startGameOrAddBet: StartGameRound & WithToken;
  readonly addWin: AddWin & WithToken;
  readonly endGameRound: EndOrVoid<'endGameRound'> & WithToken;
  readonly voidGameRound: EndOrVoid<'voidGameRound'> & WithToken;
  readonly collectWin: CollectWin & WithToken;
  readonly wagerWin: WagerWin & WithToken;
  readonly addSpinCounterGameState: AddSpinCounterGameState & WithToken;
  readonly getGameRoundInfo: TokenAndRound;
  readonly getGameRoundHistoryInfo: TokenAndRound;
  readonly getUncollectedAmount: TokenAndRound;
  readonly getAvailableSpinCounter: TokenAndRound & { readonly counterType: string };
  readonly getTokenForGameRound: { readonly gameRound: string };
  readonly getBalance: WithToken;
  readonly getTokenData: WithToken;
  readonly getLastGameRounds: WithToken & { readonly count: number | null };
  readonly getPlayerData: WithToken & PlayerDataFilter;
  readonly setPlayerData: WithToken & NewPlayerData;
  readonly getRandomResult: WithToken & RandomRequest;
  /** Any JSON, as its text. */
  readonly testPing: { readonly testData: string };
  readonly getOperatorSettings: {
    readonly game: string;
    readonly operator: string;
    readonly currency: string;
  };
}

/** The name of a call. */
export type EngineCall = keyof EngineRequests;

/** What getPlayerData filters by; '' and 0 filter nothing (E20.2). */
export interface PlayerDataFilter {
  readonly currency: string;
  /** Units. */
  readonly stake: bigint;
}

/** What setPlayerData stores (E20). */
export interface NewPlayerData extends PlayerDataFilter {
  /** Any JSON but null, as its text. */
  readonly data: string;
  /** Milliseconds since 1970; null for an entry that never expires. */
  readonly expires: number | null;
}

/** What getRandomResult draws (E22.1). */
export interface RandomRequest {
  readonly rngEndPoint: 'getDoubles' | 'getIntegers';
  readonly count: number;
  readonly min: number;
  readonly max: number;
}

/** The messages of the Game Engine API with a schema, each a file of schemas/engine-api. */
export const engineSchemas = schemasOf('engine-api', [
  'types',
  'start-game-round',
  'start-game-or-add-bet',
  'add-win',
  'wager-win',
  'add-spin-counter-game-state',
  'collect-win',
  'end-or-void',
  'token-and-round',
  'get-available-spin-counter',
  'get-token-for-game-round',
  'token-only',
  'get-last-game-rounds',
  'get-player-data',
  'set-player-data',
  'get-random-result',
  'test-ping',
  'get-operator-settings',
  'reply-types',
  'round-reply',
  'balance',
  'amount-reply',
  'spin-counter-reply',
  'token-data-reply',
  'last-game-rounds-reply',
  'player-data-reply',
  'random-result-reply',
  'test-ping-reply',
  'game-settings',
  'connect-reply',
  'error-reply',
]);

/** The name of a schema of schemas/engine-api. */
export type EngineSchema = Parameters<typeof engineSchemas.findFault>[0];
