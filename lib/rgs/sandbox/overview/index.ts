export { booksView } from './books';
export { findRound } from './find';
export { stateView } from './state';
export { timelineView } from './timeline';
