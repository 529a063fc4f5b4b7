export type {
  CallAnswered,
  CallRefused,
  DebitsChecked,
  Operation,
  OperatorEvent,
  StoreName,
} from './event';
export { type EventListener, Events } from './listeners';
export { eventsTo, levelOf } from './log';
