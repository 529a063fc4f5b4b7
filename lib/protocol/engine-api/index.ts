export {
  type EngineErrorCode,
  type EngineErrorObject,
  EngineRefusedError,
  engineErrors,
} from './errors';
export type {
  AddSpinCounterGameState,
  AddWin,
  AmountReply,
  Balance,
  BalanceEntry,
  CollectWin,
  ConnectReply,
  CreditInformation,
  DebitInformation,
  EndOrVoid,
  EngineCall,
  EngineReplies,
  EngineRequests,
  FreePlayInfo,
  FreePlays,
  FreePlaysAvailable,
  GameRoundInfo,
  GameSettings,
  GameStateEntry,
  JackpotPayout,
  NewPlayerData,
  PlayerDataEntry,
  PlayerDataFilter,
  PlayerDataReply,
  RandomRequest,
  RngResult,
  RoundCall,
  RoundQuery,
  RoundReply,
  StartGameRound,
  Texts,
  TokenAndRound,
  TokenData,
  TokenDataReply,
  WagerWin,
  WithToken,
} from './messages';
export { memberMeant } from './requests/names';
export { orRefused } from './requests/refuse';
export { type PostedCall, readRequest, readSettingsQuery, readTokenQuery } from './requests/read';
export { writeRequest, writeSettingsQuery } from './requests/write';
export { readReply } from './read-reply';
export { writeConnectReply, writeError, writeReply } from './write-reply';
