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

/** What a process knows of itself. */
export interface ProcessFigures {
  /** The version of Node, such as `v22.11.0`. */
  readonly node: string;
  /** For how long it runs, in whole seconds. */
  readonly uptimeSeconds: number;
  /** Memory that it holds, and of it the objects in use, in bytes. */
  readonly memoryBytes: number;
  readonly heapBytes: number;
  /** How much of its time the event loop was busy, from 0 to 1, since the process began. */
  readonly busyShare: number;
}

/** What this process knows of itself now. */
export function processFigures(): ProcessFigures {
  const { rss, heapUsed } = process.memoryUsage();
  const busyShare = 1 - systemLoop.sleptMs() / systemLoop.nowMs();
  return {
    node: process.version,
    uptimeSeconds: Math.floor(process.uptime()),
    memoryBytes: rss,
    heapBytes: heapUsed,
    busyShare: Math.min(1, Math.max(0, busyShare)),
  };
}
