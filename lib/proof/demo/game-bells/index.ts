export { type BookedRound, createProviderBook, type ProviderBook } from './book';
export { createGameBells, type GameBells, gameCode } from './game';
export { baseStakes, nameOf, readReels, type Reels, symbols } from './reels';
export type { SpinRequest, Spins } from './spins';
