import { type Html, html, type HtmlPart, part, stackedTable } from '../../../../platform/html';
import type { CertificationResult } from '../../talk/case';
import {
  countsByGroup,
  countsOf,
  type Counts,
  groupQuestions,
  groupTitle,
  type Standing,
  standingNames,
  standingOf,
  standings,
} from '../facts';
import { standingBadge } from './standing';

/** The groups of cases: what they ask, and how they ended; further columns than two where they have a number. */
export function groupsPart(result: CertificationResult): Html | null {
  if (result.cases.length === 0) return null;
  const listed = new Set(
    result.cases.filter((one) => standingOf(one) === 'passed').map(({ group }) => group),
  );
  const total = countsOf(result);
  const columns = standings.filter((one) => ['passed', 'failed'].includes(one) || total[one] > 0);
  const numbers = (counts: Counts) => columns.map((one) => number(one, counts[one]));
  const rows = countsByGroup(result).map(([group, counts]) => {
    const title = groupTitle(group);
    const name = listed.has(group) ? html`<a href="#group-${group}">${title}</a>` : title;
    return [html`${name} <small>${groupQuestions[group]}</small>`, bar(counts), ...numbers(counts)];
  });
  const names = columns.map((standing) => `#${standingNames[standing]}`);
  const list = stackedTable('Cases by group', ['group', 'share', ...names], rows, null, [
    ['All', bar(total), ...numbers(total)],
  ]);
  const about = html`<p class="dim">A required case follows from the specification and decides the outcome. An advisory one has another legal reading; it decides nothing, as do exceptions. What was not tried says nothing about the wallet.</p>`;
  return part('groups', 'By group', null, html`${list}${about}`);
}

/** What is 0 is pale, and what is not as it should be has its shape. */
function number(standing: Standing, cases: number): HtmlPart {
  if (cases === 0) return html`<span class="dim">0</span>`;
  return ['passed', 'untried'].includes(standing) ? cases : standingBadge(standing, cases);
}

/** Drawn from the left, in this order; what was not tried stays empty. */
const fills: readonly (readonly [Standing, string])[] = [
  ['passed', 'g'],
  ['failed', 'b'],
  ['inconclusive', 'w'],
  ['excepted', 's4'],
];

/** The shares of a tally; the numbers are beside it. */
function bar(counts: Counts): Html {
  let from = 0;
  const parts = fills.map(([standing, fill]) => {
    const width = (100 * counts[standing]) / counts.total;
    const drawn = html`<rect class="${fill}"${from === 0 ? null : html` x="${percent(from)}"`} width="${percent(width)}" height="10"/>`;
    from += width;
    return width === 0 ? null : drawn;
  });
  return html`<svg class="share" width="100%" height="10" aria-hidden="true" focusable="false"><rect class="track" y="4" width="100%" height="2"/>${parts}</svg>`;
}

function percent(share: number): string {
  return `${Number(share.toFixed(2))}%`;
}
