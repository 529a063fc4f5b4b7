export {
  createGameEngineClient,
  type EngineMethods,
  type GameEngineClient,
} from './client/create-client';
export type { GameEngineClientOptions } from './client/options';
export type {
  AddSpinCounterGameState,
  AddWin,
  Amount,
  CollectWin,
  CreditInformation,
  DebitInformation,
  EndOrVoid,
  EngineCaller,
  EngineInputs,
  GetRandomResult,
  JackpotPayout,
  RngResult,
  SetPlayerData,
  StartGameOrAddBet,
  StartGameRound,
  TokenAndRound,
  WagerWin,
  WithToken,
} from './client/requests';
export {
  type LastSeen,
  lastSeenOf,
  type LostCall,
  type LostRequests,
  type LostRound,
} from './recovery/lost';
export type { RecoverOptions } from './recovery/recover';
export type { Recovery, Refusal } from './recovery/outcome';
export type { RecoveryPolicy } from './recovery/step';
export type { Bet, Draw, GameRound, RoundVoid, Spins, Wager, Win } from './rounds/round';
export type { CloseOptions, FinishRound } from './rounds/abandoned';
export { GameRoundError } from './rounds/error';
export type { OpenRound } from './rounds/open';
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
  AmountReply,
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
  EngineRequests,
  PlayerDataEntry,
  PlayerDataReply,
  RoundReply,
  TokenData,
  TokenDataReply,
} from '../protocol/engine-api';
