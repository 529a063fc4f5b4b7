export { resendCalls } from './resend';
export { Books, playersOf } from './books';
export { type AcknowledgedCall, ServiceRound } from './round';
