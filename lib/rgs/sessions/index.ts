export { createSessions, type Granted, type ListedSession, type Sessions } from './create';
export { type SessionEvent, tokenBytes, tokenOf } from './token';
export { type Grant, grantOf, isServedAfterEnd, isServedFor } from './grant';
export { defaultSessionTimes, type SessionTimes } from './table';
