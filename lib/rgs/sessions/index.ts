export { createSessions, type Granted, type ListedSession, type Sessions } from './create';
export type { SessionEvent } from './event';
export { type Grant, grantOf, isServedAfterEnd, isServedFor } from './grant';
export { defaultSessionTimes, type SessionTimes } from './held';
export { tokenBytes, tokenOf } from './token';
