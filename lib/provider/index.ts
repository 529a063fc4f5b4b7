export { createGameEngineClient, type EngineMethods, type GameEngineClient } from './client';
export type { GameEngineClientOptions } from './client';
export type {
  AddWin,
  Amount,
  CollectWin,
  CreditInformation,
  DebitInformation,
  EndOrVoid,
  EngineCaller,
  EngineInputs,
  JackpotPayout,
  GetRandomResult,
  RngResult,
  SetPlayerData,
  AddSpinCounterGameState,
  StartGameOrAddBet,
  StartGameRound,
  TokenAndRound,
  WithToken,
  WagerWin,
} from './calls';
export type {
  LastSeen,
  LostCall,
  LostRequests,
  LostRound,
  Recovery,
  RecoverOptions,
  RecoveryPolicy,
} from './recovery';
export { lastSeenOf } from './recovery';
export { GameRoundError } from './rounds';
export type {
  Bet,
  Draw,
  FinishRound,
  GameRound,
  OpenRound,
  Spins,
  RoundVoid,
  Wager,
  Win,
} from './rounds';
export {
  type AbandonedRound,
  type CertifiedFile,
  type ConfigurationQuestion,
  type ConfigurationValue,
  createGameProviderHandler,
  createGameProviderRouter,
  type EngineErrorOverrides,
  type GameConfigurationAnswer,
  type GameProviderHandler,
  type GameProviderOptions,
  type GameProviderRouter,
  type ProviderCallEvent,
  type ProviderCredentials,
  type ProviderHandlers,
  type ProviderOperation,
  type ProviderSignedFields,
  type ResultQuestion,
} from './http';
export { scaleStakes } from './stakes';
export { RgsClientError as GameEngineError } from '../protocol/client';
export type {
  Balance,
  BalanceEntry,
  EngineCall,
  EngineErrorCode,
  EngineReplies,
  FreePlayInfo,
  FreePlaysAvailable,
  GameRoundInfo,
  GameSettings,
  GameStateEntry,
  PlayerDataEntry,
  RoundReply,
  TokenData,
} from '../protocol/engine-api';
