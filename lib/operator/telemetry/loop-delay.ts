import type { Clock } from '../../platform';
import type { DelayReading, EventLoopDelay } from '../../platform/event-loop-delay';
import { Gauge } from './registry';

/** The shortest window that is shown, in milliseconds: two readers must not halve each other's. */
const windowMs = 10_000;

const none: DelayReading = { p50: 0, p90: 0, p99: 0, max: 0 };

/** How late the event loop was since the reading before; a window of ten seconds at least. */
export function loopDelayGauge(delay: EventLoopDelay, clock: Pick<Clock, 'monotonicMs'>): Gauge {
  let shown: DelayReading | null = null;
  let shownAt = Number.NEGATIVE_INFINITY;
  const help =
    'How late the event loop was since the reading before, by percentile; 100 is the most.';
  return new Gauge('nodejs_eventloop_delay_seconds', help, () => {
    const now = clock.monotonicMs();
    if (shown === null || now - shownAt >= windowMs) {
      shown = delay.read() ?? none;
      shownAt = now;
      delay.reset();
    }
    const { p50, p90, p99, max } = shown;
    return [
      { labels: { percentile: '50' }, value: p50 },
      { labels: { percentile: '90' }, value: p90 },
      { labels: { percentile: '99' }, value: p99 },
      { labels: { percentile: '100' }, value: max },
    ];
  });
}
