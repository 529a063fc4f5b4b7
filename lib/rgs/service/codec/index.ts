export { decode, encode } from './event';
export { type OwnedRound, ownedRound } from './round';
export { UnreadableEventError } from './shape';
