import { type Html, html, part } from '../../../../platform/html';
import { leftInWords } from '../../run/conclusion';
import type { CaseResult, CertificationResult } from '../../talk/case';
import { byGroup, groupTitle, standingOf } from '../facts';
import { sentence, visibleLine } from '../readable';

/** What passed, by group; on paper the names alone. */
export function passedPart({ cases }: CertificationResult): Html | null {
  const passed = cases.filter((one) => standingOf(one) === 'passed');
  if (passed.length === 0) return null;
  const lists = byGroup(passed).map(
    ({ group, cases: list }) =>
      html`<h3 id="group-${group}">${groupTitle(group)} <small>${list.length}</small></h3><ul>${list.map(item)}</ul>`,
  );
  const body = html`<div class="card passed">${lists}</div>`;
  return part('passed', `Passed (${passed.length})`, null, body);
}

function item({ id, given, when, expected, rule, message, left = [] }: CaseResult): Html {
  const remarks = [...(message === null ? [] : [message]), ...left.map(leftInWords)].map(sentence);
  const tried = `Given ${given}: when ${when}, ${expected}.`;
  const remark = remarks.length === 0 ? null : html` <b>${remarks.join(' ')}</b>`;
  return html`<li><code>${id}</code><p>${visibleLine(tried)}${remark} <small>${visibleLine(rule)}</small></p></li>`;
}
