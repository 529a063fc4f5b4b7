export { type BookedRound, createProviderBook, type ProviderBook } from './book';
export { createGameBells, type GameBells } from './game';
export { nameOf, readReels, type Reels, symbols } from './reels';
