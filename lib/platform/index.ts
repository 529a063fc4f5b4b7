export { type Clock, systemClock } from './clock';
export { type Logger, silentLogger } from './logger';
