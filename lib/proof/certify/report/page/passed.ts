import { type Html, html, part } from '../../../../platform/html';
import { leftInWords } from '../../run/conclusion';
import type { CaseResult, CertificationResult } from '../../talk/case';
import { byGroup, groupTitle, standingOf } from '../facts';
import { sentence, visibleLine } from '../readable';

/** What most cases are given: said once. */
const usual = 'a player with money';

/** Said once, too: most rules are of it. */
const specification = 'Operator API ';

/** What passed, by group; on paper the names alone. */
export function passedPart({ cases }: CertificationResult): Html | null {
  const passed = cases.filter((one) => standingOf(one) === 'passed');
  if (passed.length === 0) return null;
  const lists = byGroup(passed).map(
    ({ group, cases: list }) =>
      html`<h3 id="group-${group}">${groupTitle(group)} <small>${list.length}</small></h3><dl>${list.map(item)}</dl>`,
  );
  const about = `Given ${usual}, unless it says otherwise. Sections without a name are of the ${specification.trim()}.`;
  const body = html`<p class="dim">${about}</p><div class="card passed">${lists}</div>`;
  return part('passed', `Passed (${passed.length})`, null, body);
}

function item({ id, given, when, expected, rule, message, left = [] }: CaseResult): Html {
  const remarks = [...(message === null ? [] : [message]), ...left.map(leftInWords)].map(sentence);
  const tried = sentence(`${given === usual ? '' : `given ${given}: `}when ${when}, ${expected}`);
  const remark = remarks.length === 0 ? null : html` <b>${remarks.join(' ')}</b>`;
  const section = rule.startsWith(specification) ? rule.slice(specification.length) : rule;
  return html`<dt>${id}<dd>${tried}${remark} <small>${visibleLine(section)}</small>`;
}
