export { type CloseOptions, closeAbandoned, type FinishRound } from './abandoned';
export { GameRoundError } from './error';
export { NotTaken } from './not-taken';
export { type OpenRound, openRound, type RoundParts } from './open';
export { resumeRound } from './resume';
export type {
  Bet,
  Draw,
  GameRound,
  Spins,
  RoundVoid,
  Wager,
  Win,
} from './round';
