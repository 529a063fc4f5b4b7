export { askAgain } from './ask-again';
export { Books, playersOf } from './books';
export { type AcknowledgedCall, ServiceRound, type ServiceTransaction } from './round';
