import { facts, type Html, html, section, table } from '../../../../platform/html';
import type { CertificationResult, Outcome, Timing } from '../../talk/case';
import {
  byGroup,
  counted,
  durationInWords,
  groupQuestions,
  groupTitle,
  instantInWords,
  sentence,
  type Standing,
  standingNames,
  standings,
  type Tally,
  tallyOf,
  visibleLine,
  wireAmount,
  wireDifference,
} from '../facts';

const outcomes: Readonly<Record<Outcome, string>> = {
  passed: 'Passed',
  failed: 'Not passed',
  'not run': 'Could not be run',
};

/** The wallet and how the run ended. */
export function masthead(result: CertificationResult): Html {
  const { cases, operatorId, outcome, summary } = result;
  return html`<header><p class="kind"><span>Wallet certification</span><span>${instantInWords(result.startedAt)}</span></p>
<h1>${visibleLine(operatorId)}</h1>
<div class="outcome ${outcome === 'not run' ? 'unrun' : outcome}"><p class="word">${outcomes[outcome]}</p><p>${sentence(summary)}</p></div>
<ul class="tiles">${standings.map((standing) => tile(result, standing))}</ul>
<p class="dim">${counted(cases.length, 'case')} in ${durationInWords(result.durationMs)}. A required case follows from the specification and decides the outcome. An advisory one has another legal reading; it decides nothing, as do cases that were not tried for want of an option, and exceptions.</p></header>
`;
}

function tile({ cases }: CertificationResult, standing: Standing): Html {
  const required = tallyOf(cases.filter(({ level }) => level === 'required'))[standing];
  const advisory = tallyOf(cases.filter(({ level }) => level === 'advisory'))[standing];
  return html`<li><strong>${countOf(standing, required + advisory)}</strong><span>${standingNames[standing]}</span><small>${required} required<br>${advisory} advisory</small></li>`;
}

/** The groups of cases: what they ask, and how they ended. */
export function groupsSection({ cases }: CertificationResult): Html | null {
  if (cases.length === 0) return null;
  const rows = byGroup(cases).map(({ group, tally }) => [
    html`<a href="#group-${group}">${groupTitle(group)}</a><small>${groupQuestions[group]}</small>`,
    bar(tally),
    ...standings.map((standing) => countOf(standing, tally[standing])),
  ]);
  const total = tallyOf(cases);
  const columns = [
    '@group',
    'share',
    ...standings.map((standing) => `#${standingNames[standing]}`),
  ];
  return section(
    'groups',
    'By group',
    table('Cases by group', columns, rows, 'No case.', [
      'All',
      bar(total),
      ...standings.map((standing) => countOf(standing, total[standing])),
    ]),
  );
}

const barWidth = 120;

/** The shares of a tally; the numbers are shown next to it. */
function bar(tally: Tally): Html {
  const total = standings.reduce((sum, standing) => sum + tally[standing], 0);
  let at = 0;
  const parts = standings.map((standing) => {
    const width = (tally[standing] / total) * barWidth;
    const part = html`<rect class="${standing}" x="${at.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="8"/>`;
    at += width;
    return tally[standing] === 0 ? null : part;
  });
  return html`<svg class="bar" width="${barWidth}" height="8" viewBox="0 0 ${barWidth} 8" aria-hidden="true" focusable="false">${parts}</svg>`;
}

/** What was run, so that it can be run again. */
export function runSection(result: CertificationResult): Html {
  const { money, urls } = result;
  return section(
    'run',
    'What was run',
    facts([
      ['Wallet', urls.map((url) => html`<code>${visibleLine(url)}</code> `)],
      ['Operator', html`<code>${visibleLine(result.operatorId)}</code>`],
      ['Players', money.map(({ playerId }) => html`<code>${visibleLine(playerId)}</code> `)],
      ['Currency', visibleLine(result.currency)],
      ['Game', html`<code>${visibleLine(result.gameCode)}</code>`],
      ['Profile', result.profile],
      ['Seed', result.seed],
      ['Began', instantInWords(result.startedAt)],
      ['Took', durationInWords(result.durationMs)],
      ['Version', `rgs-wallet-kit ${visibleLine(result.version)}`],
      [
        'Results',
        html`<code>${visibleLine(result.resultsHash)}</code><small>SHA-256 of every case and its verdict: two runs that found the same have the same.</small>`,
      ],
    ]),
  );
}

/** The players' money, before and after. */
export function moneySection({ money, mostAtRisk, currency }: CertificationResult): Html | null {
  if (money.length === 0) return null;
  const rows = money.map(({ playerId, start, end }) => [
    visibleLine(playerId),
    wireAmount(start),
    end === null ? 'not known' : wireAmount(end),
    end === null ? 'not known' : difference(end - start),
  ]);
  const of = visibleLine(currency);
  return section(
    'money',
    'Money',
    html`${table(`Balances in ${of}`, ['@player', '#at the start', '#at the end', '#difference'], rows, 'No player.')}
<p class="dim">In ${of}, as the numbers on the wire: where the wallet counts in minor units, 100 is 1.00. The run gives back by voids whatever it stakes; a difference is money that the wallet did not give back, or gave too much. Most at stake at any time: ${wireAmount(mostAtRisk)}.</p>`,
  );
}

function difference(units: bigint): Html | string {
  const text = wireDifference(units);
  return units === 0n ? text : html`<strong class="failed">${text}</strong>`;
}

/** How long the calls took: percentiles, a picture and its numbers. */
export function timingSection({ timings }: CertificationResult): Html | null {
  const seen = timings.filter(({ count }) => count > 0);
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
<p class="dim">As seen from where the run was made, with the network in between: not a benchmark.</p>
<div class="pair">${seen.map(histogram)}</div>`,
  );
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

/** A count, in the colour of its standing unless it is 0. */
function countOf(standing: Standing, value: number): Html {
  return value === 0
    ? html`<span class="none">0</span>`
    : html`<span class="${standing}">${value}</span>`;
}
