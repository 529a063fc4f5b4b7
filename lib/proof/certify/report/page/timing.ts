import { count, type Html, html, part, stackedTable } from '../../../../platform/html';
import type { CertificationResult, Timing } from '../../talk/case';

/** What was answered at all: what moves money first. */
export function answered(timings: readonly Timing[]): Timing[] {
  return timings
    .filter((one) => one.count > 0)
    .toSorted((one, other) => one.call.localeCompare(other.call));
}

/** How long the calls took. */
export function timingPart({ timings }: CertificationResult): Html | null {
  const seen = answered(timings);
  if (seen.length === 0) return null;
  const rows = seen.map((one) => [
    one.call,
    count(one.count),
    ...[one.p50, one.p90, one.p99, one.max].map(shortMs),
  ]);
  const columns = ['call', '#calls', '#half within', '#90% within', '#99% within', '#longest'];
  return part(
    'timing',
    'Time to answer',
    null,
    html`${stackedTable('Times of calls', columns, rows, null)}
<p class="dim">As seen from where the run was made, with the network in between: not a benchmark.</p>`,
  );
}

/** `8.2 ms`, `1.25 s`. */
export function shortMs(ms: number): string {
  return ms < 1000 ? `${Number(ms.toFixed(1))} ms` : `${Number((ms / 1000).toFixed(2))} s`;
}
