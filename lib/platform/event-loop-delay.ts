import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the event loop is sampled, in milliseconds. */
const resolutionMs = 20;

/** How late timers were in a window of time, in seconds. */
export interface DelayReading {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** A running measurement of how late this process runs its timers. */
export interface EventLoopDelay {
  /** The delays since the last reset; null without a sample. */
  read(): DelayReading | null;
  /** Begins a new window. */
  reset(): void;
  /** Ends the measurement. */
  stop(): void;
}

/** Measures the delay of this process's event loop. It does not keep the process alive. */
export function measureEventLoopDelay(): EventLoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  // The histogram holds the time between two samples, of which the resolution is not a delay.
  const seconds = (nanoseconds: number) => Math.max(nanoseconds / 1e9 - resolutionMs / 1000, 0);
  return {
    read: () => {
      if (histogram.count === 0) return null;
      const [p50, p90, p99] = [50, 90, 99].map((part) => seconds(histogram.percentile(part)));
      const max = seconds(histogram.max);
      return { p50: p50 ?? 0, p90: p90 ?? 0, p99: p99 ?? 0, max };
    },
    reset: () => histogram.reset(),
    stop: () => void histogram.disable(),
  };
}
