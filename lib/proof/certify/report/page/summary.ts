import { type Html, html } from '../../../../platform/html';
import type { CertificationResult, Outcome } from '../../outcome/result';
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
} from '../facts';
import { count, facts, section, table } from './layout';

const outcomes: Readonly<Record<Outcome, string>> = {
  passed: 'Passed',
  failed: 'Not passed',
  'not run': 'Could not be run',
};

/** Whose wallet it is, and how the run ended. */
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
  return html`<li><strong>${count(standing, required + advisory)}</strong><span>${standingNames[standing]}</span><small>${required} required<br>${advisory} advisory</small></li>`;
}

/** The groups of cases: what they ask, and how they ended. */
export function groupsSection({ cases }: CertificationResult): Html | null {
  if (cases.length === 0) return null;
  const rows = byGroup(cases).map(({ group, tally }) => [
    html`<a href="#group-${group}">${groupTitle(group)}</a><small>${groupQuestions[group]}</small>`,
    bar(tally),
    ...standings.map((standing) => count(standing, tally[standing])),
  ]);
  const total = tallyOf(cases);
  const columns = ['group', 'share', ...standings.map((standing) => `#${standingNames[standing]}`)];
  return section(
    'groups',
    'By group',
    table('Cases by group', columns, rows, [
      'All',
      bar(total),
      ...standings.map((standing) => count(standing, total[standing])),
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
