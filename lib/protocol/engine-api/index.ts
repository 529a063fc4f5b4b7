export {
  type EngineErrorCode,
  type EngineErrorObject,
  EngineRefusedError,
  engineErrors,
} from './errors';
export type {
  AddSpinCounterGameState,
  AddWin,
  CollectWin,
  CreditInformation,
  DebitInformation,
  EndOrVoid,
  JackpotPayout,
  RngResult,
  RoundCall,
  RoundQuery,
  StartGameRound,
  Texts,
  WagerWin,
} from './calls';
export type {
  AmountReply,
  Balance,
  BalanceEntry,
  ConnectReply,
  EngineReplies,
  FreePlayInfo,
  FreePlays,
  FreePlaysAvailable,
  GameRoundInfo,
  GameSettings,
  GameStateEntry,
  PlayerDataEntry,
  PlayerDataReply,
  RoundReply,
  TokenData,
  TokenDataReply,
} from './replies';
export type {
  EngineCall,
  EngineRequests,
  NewPlayerData,
  PlayerDataFilter,
  RandomRequest,
  TokenAndRound,
  WithToken,
} from './requests';
export { memberMeant, writeRequest, writeSettingsQuery } from './write-request';
export {
  orRefused,
  type PostedCall,
  readRequest,
  readSettingsQuery,
  readTokenQuery,
} from './read-request';
export { readReply } from './read-reply';
export { writeConnectReply, writeError, writeReply } from './write-reply';
