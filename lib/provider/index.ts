export {
  createGameEngineClient,
  type EngineMethods,
  type GameEngineClient,
} from './client';
export type { GameEngineClientOptions } from './calls/options';
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
  WagerWin,
} from './calls/requests';
export type { TokenAndRound, WithToken } from '../protocol/engine-api/requests';
export {
  type LastSeen,
  lastSeenOf,
  type LostCall,
  type LostRequests,
  type LostRound,
  type Recovery,
  type Refusal,
} from './recovery/lost';
export type { RecoverOptions } from './recovery/recover';
export type { RecoveryPolicy } from './recovery/step';
export {
  type Bet,
  type Draw,
  type GameRound,
  GameRoundError,
  type RoundVoid,
  type Spins,
  type Wager,
  type Win,
} from './rounds/round';
export type { CloseOptions, FinishRound } from './rounds/resume';
export type { OpenRound } from './rounds/open';
export {
  createGameProviderHandler,
  createGameProviderRouter,
  type GameProviderHandler,
  type GameProviderRouter,
} from './http/handler';
export type {
  AbandonedRound,
  CertifiedFile,
  ConfigurationQuestion,
  ConfigurationValue,
  GameConfigurationAnswer,
  ProviderCallEvent,
  ProviderHandlers,
  ProviderOperation,
  ResultQuestion,
} from './http/handlers';
export type {
  EngineErrorOverrides,
  GameProviderOptions,
  ProviderCredentials,
  ProviderSignedFields,
} from './http/options';
export { scaleStakes } from './stakes';
export { RgsClientError as GameEngineError } from '../protocol/client/errors';
export type {
  AmountReply,
  Balance,
  BalanceEntry,
  EngineReplies,
  FreePlayInfo,
  FreePlaysAvailable,
  GameRoundInfo,
  GameSettings,
  GameStateEntry,
  PlayerDataEntry,
  PlayerDataReply,
  RoundReply,
  TokenData,
  TokenDataReply,
} from '../protocol/engine-api/replies';
export type { EngineCall, EngineRequests } from '../protocol/engine-api/requests';
export type { EngineErrorCode } from '../protocol/engine-api/errors';
