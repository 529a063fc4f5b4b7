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
export { type EngineErrorCode, type EngineErrorEntry, engineErrors } from './catalogue';
