export type { AttemptEvent, CallAnswered, CallRefused, Operation, OperatorEvent } from './event';
export { type EventLevel, type EventListener, Events } from './listeners';
export { eventsTo, levelOf } from './log';
