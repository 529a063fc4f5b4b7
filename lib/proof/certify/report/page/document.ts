import { html, type Html, pageFile, section, table } from '../../../../platform/html';
import type { CertificationResult, CaseResult } from '../../talk/case';
import { withoutLogins, withoutSignatures } from '../cleaned';
import { byGroup, groupTitle, standingNames, standingOf, tallyInWords } from '../facts';
import { reportDigest } from '../json';
import { visibleLine } from '../readable';
import { durationInWords, instantInWords } from '../words';
import { exceptionsSection, findings } from './finding';
import { groupsSection, masthead, moneySection, runSection } from './summary';
import { style } from './style';
import { histogramsSection, timingSection } from './timing';
import { untriedSection } from './untried';

/**
 * The report as one file of HTML, for people: two pages to hand over, and an annex with the evidence. It loads nothing, runs
 * nothing, follows the reader's light or dark colours and prints. Whatever the wallet answered is shown as text. It holds no
 * signature of a call, and never a secret.
 * @param signedBy Name of the key that signed the JSON report.
 */
export function htmlReport(given: CertificationResult, signedBy: string | null = null): string {
  const result = withoutSignatures(withoutLogins(given));
  const operator = visibleLine(result.operatorId);
  const digest = reportDigest(given);
  return pageFile({
    title: `Wallet certification of ${operator}`,
    style,
    body: html`${masthead(result)}
<main>${moneySection(result)}${exceptionsSection(result)}${runSection(result, { digest, signedBy })}${timingSection(result)}
<div class="sheet">${groupsSection(result)}${untriedSection(result)}</div>
<div class="sheet annex"><p class="kind"><span>Annex</span></p>${findings(result)}${casesSection(result)}${histogramsSection(result)}</div></main>
<footer><p>Made by rgs-wallet certify ${visibleLine(result.version)}, ${instantInWords(result.startedAt)}. Digest of the JSON report: ${digest}.</p></footer>`,
  });
}

/** Every case by group: their names, and folded what each tries. */
function casesSection({ cases }: CertificationResult): Html | null {
  if (cases.length === 0) return null;
  const groups = byGroup(cases).map(({ group, cases: list, tally }) => {
    const title = groupTitle(group);
    return html`<h3 id="group-${group}">${title}: ${tallyInWords(tally)}</h3>
<p class="names">${list.map((one, at) => html`${at === 0 ? '' : ', '}${nameOf(one, new Set(list.map(standingOf)).size > 1)}`)}</p>
<details><summary>What each tries in ${title}</summary>${table(`${title}, every case`, ['@case', 'what it tries', '#took', 'verdict'], list.map(row), 'No case.')}</details>`;
  });
  return section('all', 'Every case', groups);
}

/** What passed as its name, what did not as a link to it, with its standing unless that of the group says it all. */
function nameOf(one: CaseResult, isStanding: boolean): Html | string {
  const standing = standingOf(one);
  if (standing === 'passed') return one.id;
  const said = isStanding ? ` (${standingNames[standing]})` : '';
  return html`<a href="#case-${one.id}" class="${standing}">${one.id}</a>${said}`;
}

function row(one: CaseResult) {
  const { id, given, when, expected, durationMs, level, message } = one;
  const standing = standingOf(one);
  const remark = standing === 'passed' && message !== null ? visibleLine(message) : null;
  return [
    html`${id}<small>${visibleLine(one.rule)}</small>`,
    html`<p>Given ${visibleLine(given)}: when ${visibleLine(when)}, ${visibleLine(expected)}.</p>${remark === null ? null : html`<small>${remark}</small>`}`,
    durationInWords(durationMs),
    html`<span class="${standing}">${standingNames[standing]}</span><small>${level}</small>`,
  ];
}
