export { unitsOf } from './amount';
export type { EngineCaller } from './port';
export type {
  AddWin,
  Amount,
  CollectWin,
  CreditInformation,
  DebitInformation,
  EndOrVoid,
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
} from './requests';
