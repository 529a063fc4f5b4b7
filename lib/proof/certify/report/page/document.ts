import { html, type Html, pageFile, section, table } from '../../../../platform/html';
import type { CertificationResult, CaseResult } from '../../talk/case';
import {
  instantInWords,
  visibleLine,
  withoutLogins,
  byGroup,
  durationInWords,
  groupTitle,
  standingNames,
  standingOf,
} from '../facts';
import { findings } from './finding';
import { moneySection, groupsSection, masthead, runSection, timingSection } from './summary';
import { style } from './style';

/**
 * The report as one file of HTML, for people: it loads nothing, runs nothing, follows the reader's light or dark
 * colours and prints. Whatever the wallet answered is shown as text. It holds signatures of calls, which are
 * valid for minutes, and never a secret.
 */
export function htmlReport(given: CertificationResult): string {
  const result = withoutLogins(given);
  const operator = visibleLine(result.operatorId);
  return pageFile({
    title: `Wallet certification of ${operator}`,
    style,
    body: html`${masthead(result)}
<main>${groupsSection(result)}${findings(result)}${moneySection(result)}${timingSection(result)}${runSection(result)}${passedSection(result)}</main>
<footer><p>Made by rgs-wallet certify ${visibleLine(result.version)}, ${instantInWords(result.startedAt)}. Results ${visibleLine(result.resultsHash)}.</p></footer>`,
  });
}

/** Every case by group: what passed in words, what did not as a link to it. */
function passedSection({ cases }: CertificationResult): Html | null {
  if (cases.length === 0) return null;
  const groups = byGroup(cases).map(({ group, cases: list }) => {
    const title = groupTitle(group);
    return html`<h3 id="group-${group}">${title}</h3>${table(`${title}, every case`, ['@case', 'what it tries', '#took', 'verdict'], list.map(row), 'No case.')}`;
  });
  return section('all', 'Every case', groups);
}

function row(one: CaseResult) {
  const { id, given, when, expected, durationMs, level, message } = one;
  const standing = standingOf(one);
  const remark = standing === 'passed' && message !== null ? visibleLine(message) : null;
  return [
    html`${standing === 'passed' ? id : html`<a href="#case-${id}">${id}</a>`}<small>${visibleLine(one.rule)}</small>`,
    html`<p>Given ${visibleLine(given)}: when ${visibleLine(when)}, ${visibleLine(expected)}.</p>${remark === null ? null : html`<small>${remark}</small>`}`,
    durationInWords(durationMs),
    html`<span class="${standing}">${standingNames[standing]}</span><small>${level}</small>`,
  ];
}
