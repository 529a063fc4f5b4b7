import { afterThisTurn } from './turn';

/** How the event loop spends its time. Both times are in milliseconds, with fractions, and never go back. */
export interface LoopTime {
  /** Since some moment of this process. */
  nowMs(): number;
  /** How much of it the loop has slept, waiting for events. It changes only between two turns. */
  sleptMs(): number;
  /** Does work at the end of this turn of the loop. */
  afterTurn(work: () => void): void;
}

/** The event loop of this process. */
export const systemLoop: LoopTime = Object.freeze({
  nowMs: () => performance.now(),
  // A runtime other than Node may not measure it.
  sleptMs: () => performance.nodeTiming?.idleTime ?? 0,
  afterTurn: afterThisTurn,
});
