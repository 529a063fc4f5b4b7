import { type Html, html, section, table } from '../../../../platform/html';
import type { CertificationResult, Timing } from '../../talk/case';
import { visibleLine } from '../readable';
import { counted } from '../words';

/** How long the calls took. */
export function timingSection({ timings }: CertificationResult): Html | null {
  const seen = seenOf(timings);
  if (seen.length === 0) return null;
  const rows = seen.map(({ call, count, p50, p90, p99, max }) => [
    call,
    count,
    ...[p50, p90, p99, max].map(shortMs),
  ]);
  return section(
    'timing',
    'Timing',
    html`${table('Times of calls', ['@call', '#calls', '#half within', '#90% within', '#99% within', '#longest'], rows, 'No call.')}
<p class="dim">As seen from where the run was made, with the network in between: not a benchmark.</p>`,
  );
}

/** The same as pictures, each with its numbers. */
export function histogramsSection({ timings }: CertificationResult): Html | null {
  const seen = seenOf(timings);
  if (seen.length === 0) return null;
  return section('times', 'Calls by time', html`<div class="pair">${seen.map(histogram)}</div>`);
}

function seenOf(timings: readonly Timing[]): Timing[] {
  return timings.filter(({ count }) => count > 0);
}

const [width, height, top, bottom] = [480, 150, 18, 20];

/** One bar a bucket, and the same as a table. */
function histogram(timing: Timing): Html {
  const buckets = withoutEmptyEnds(timing.buckets);
  const call = visibleLine(timing.call);
  const most = Math.max(...buckets.map(({ count }) => count), 1);
  const step = width / buckets.length;
  const every = Math.ceil(buckets.length / 10);
  const bars = buckets.map(({ upToMs, count }, at) => {
    const tall = (count / most) * (height - top - bottom);
    const [x, y] = [at * step, height - bottom - tall];
    const middle = (x + step / 2).toFixed(1);
    const label =
      at % every === 0
        ? html`<text x="${middle}" y="${height - 4}">${upToMs === null ? 'more' : shortMs(upToMs)}</text>`
        : null;
    const number =
      count === 0 ? null : html`<text x="${middle}" y="${(y - 4).toFixed(1)}">${count}</text>`;
    return html`<rect x="${(x + 2).toFixed(1)}" y="${y.toFixed(1)}" width="${(step - 4).toFixed(1)}" height="${tall.toFixed(1)}"/>${number}${label}`;
  });
  const line = html`<line x1="0" y1="${height - bottom}" x2="${width}" y2="${height - bottom}"/>`;
  const name = `${call}: ${counted(timing.count, 'call')} by time; the numbers are in the table below`;
  return html`<figure><figcaption>${call}, calls by time</figcaption><svg class="times" viewBox="0 0 ${width} ${height}" role="img" aria-label="${name}">${bars}${line}</svg>
<details><summary>Numbers of ${call}</summary>${table(
    `Calls of ${call} by time`,
    ['@at most', '#calls'],
    buckets.map(({ upToMs, count }) => [upToMs === null ? 'more' : shortMs(upToMs), count]),
    'No call.',
  )}</details></figure>`;
}

function withoutEmptyEnds(buckets: Timing['buckets']): Timing['buckets'] {
  const first = buckets.findIndex(({ count }) => count > 0);
  const last = buckets.findLastIndex(({ count }) => count > 0);
  return buckets.slice(Math.max(0, first), last + 1);
}

function shortMs(ms: number): string {
  return ms < 1000 ? `${Number(ms.toFixed(1))} ms` : `${Number((ms / 1000).toFixed(2))} s`;
}
