export { decode, encode } from './event';
export { ownedRound } from './round';
export { UnreadableEventError } from './shape';
