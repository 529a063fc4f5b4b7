import { type Html, html } from '../../../../platform/html';
import type { CaseResult, CertificationResult } from '../../outcome/result';
import {
  byGroup,
  durationInWords,
  groupTitle,
  standingNames,
  standingOf,
  visibleLine,
} from '../facts';
import { section, table } from './layout';

/** Every case by group: what passed in words, what did not as a link to it. */
export function passedSection({ cases }: CertificationResult): Html | null {
  if (cases.length === 0) return null;
  const groups = byGroup(cases).map(({ group, cases: list }) => {
    const title = groupTitle(group);
    return html`<h3 id="group-${group}">${title}</h3>${table(`${title}, every case`, ['case', 'what it tries', '#took', 'verdict'], list.map(row))}`;
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
