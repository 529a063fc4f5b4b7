export { type Clock, systemClock, type TimerKind } from './clock';
export type { LoopTime } from './loop-time';
export { type Logger, safeLogger, silentLogger } from './logger';
export { createSeededRandom, type Random, systemRandom } from './random';
