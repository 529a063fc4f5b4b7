export { type Granted, type ListedSession, Sessions } from './registry';
export { type SessionEvent, tokenBytes, tokenOf } from './token';
export { type Grant, grantOf, isServedAfterEnd, isServedFor } from './grant';
export { defaultSessionTimes, type SessionTimes } from './table';
