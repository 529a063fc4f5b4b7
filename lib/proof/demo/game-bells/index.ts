export {
  type BookedRound,
  type BookedState,
  createProviderBook,
  type ProviderBook,
} from './book';
export { createGameBells, type GameBells, type GameBellsOptions, gameCode } from './game';
export { providerPath } from './listener';
export { baseStakes, nameOf, readReels, type Reels, symbols } from './reels';
export type { DrawnSpin, SpinRequest, SpinResult, Spins } from './spins';
