import type { Measurement } from '../../bench/measurement';

/** A measurement of which only what matters is said. */
export function measured(part: Partial<Measurement> & Pick<Measurement, 'letter'>): Measurement {
  return {
    series: 'closed',
    step: '32 connections',
    connections: 32,
    repeat: 1,
    calls: 3000,
    callsPerSecond: 1000,
    latency: { p50: 1, p90: 2, p99: 3, p999: 4, max: 5 },
    open: null,
    ends: null,
    contestantCpu: 100,
    serverCpu: 50,
    loadCpu: 0.2,
    signedLate: 0,
    redisCommands: null,
    memory: null,
    ...part,
  };
}

/** A step of an open loop with a 99th percentile; one whose rate was not held has none that counts. */
export function measuredOpen(letter: string, p99: number, isHeld = true): Measurement {
  const lateness = { p50: 0, p90: 0, p99: 1, p999: 1, max: 1 };
  return measured({
    letter,
    series: 'open',
    step: '1500 calls/s',
    latency: { p50: 1, p90: 2, p99, p999: p99, max: p99 },
    open: { due: 1500, isHeld, lateness },
  });
}
