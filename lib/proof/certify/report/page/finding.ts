import { facts, type Html, html, type HtmlPart, section, table } from '../../../../platform/html';
import type { CaseResult, CertificationResult } from '../../talk/case';
import { byMessage, groupTitle, isDecisive, standingOf } from '../facts';
import {
  type ReadableMessage,
  readableReply,
  readableRequest,
  sentence,
  shownCurl,
  visible,
  visibleLine,
} from '../readable';
import { linesOf } from '../step-lines';

/** Exceptions with their reasons. */
export function exceptionsSection({ cases }: CertificationResult): Html | null {
  const excepted = cases.filter((one) => standingOf(one) === 'excepted');
  if (excepted.length === 0) return null;
  const rows = excepted.map(({ id, level, verdict, rule, exception }) => [
    html`<a href="#case-${id}">${id}</a><small>${visibleLine(rule)}</small>`,
    sentence(exception ?? ''),
    html`${verdict}<small>${level}</small>`,
  ]);
  const about = html`<p class="dim">Known before the run, and accepted by the operator for the reason given. They do not decide the outcome.</p>`;
  const list = table('Exceptions', ['@case', 'reason', 'verdict'], rows, 'No case.');
  return section('exceptions', `Exceptions (${excepted.length})`, html`${about}${list}`);
}

/** Every case that did not pass, with its calls: required ones first, advisory ones folded. */
export function findings({ cases, outcome }: CertificationResult): HtmlPart {
  const open = cases.filter((one) => ['failed', 'inconclusive'].includes(standingOf(one)));
  const advisory = open.filter((one) => !isDecisive(one));
  const decisive = (verdict: string) =>
    open.filter((one) => isDecisive(one) && one.verdict === verdict);
  const excepted = cases.filter((one) => standingOf(one) === 'excepted');
  const parts = [
    part(
      'failed',
      'Failed',
      'Each breaks a rule of the specification, which it names.',
      decisive('failed'),
    ),
    part(
      'undecided',
      'Undecided',
      'Each is required and could not be decided. An undecided case does not pass.',
      decisive('inconclusive'),
    ),
    part('excepted', 'Exceptions in full', 'Their reasons are on the first page.', excepted),
    folded(
      'advisory',
      'Advisory',
      'The specification leaves these open, or they could not be decided. They do not decide the outcome.',
      advisory,
    ),
  ];
  const nothing = html`<p>Nothing. Every case that was tried passed.</p>`;
  const isClean = parts.every((one) => one === null) && outcome !== 'not run';
  return isClean ? section('failed', 'Failed', nothing) : parts;
}

/** Cases of which each is one line until it is opened. */
function folded(
  id: string,
  title: string,
  about: string,
  cases: readonly CaseResult[],
): Html | null {
  if (cases.length === 0) return null;
  const bare = bareOf(cases);
  const list = cases
    .filter((one) => !bare.includes(one))
    .map(
      (one) =>
        html`<details><summary><code>${one.id}</code> ${sentence(one.message ?? one.verdict)}</summary>${article(one)}</details>`,
    );
  const all = html`<p class="dim">${about}</p>${list}${bareTable(title, bare)}`;
  return section(id, `${title} (${cases.length})`, all);
}

function part(id: string, title: string, about: string, cases: readonly CaseResult[]): Html | null {
  if (cases.length === 0) return null;
  const bare = bareOf(cases);
  const cards = cases.filter((one) => !bare.includes(one)).map(article);
  const all = html`<p class="dim">${about}</p>${cards}${bareTable(title, bare)}`;
  return section(id, `${title} (${cases.length})`, all);
}

/**
 * The cases of which there is nothing to show but why they could not be decided: many follow from one that failed. One
 * alone is shown as any other.
 */
function bareOf(cases: readonly CaseResult[]): readonly CaseResult[] {
  const bare = cases.filter(({ details, exception, exchange, verdict }) => {
    const isOpen = verdict === 'inconclusive' && exception === null;
    return isOpen && exchange === null && details.length === 0;
  });
  return bare.length < 2 ? [] : bare;
}

/** A row for each reason. */
function bareTable(title: string, cases: readonly CaseResult[]): Html | null {
  if (cases.length === 0) return null;
  const rows = byMessage(cases).map(([message, list]) => [
    sentence(message),
    list.length,
    html`<span class="names">${list.map(({ id }, at) => html`${at === 0 ? '' : ', '}<span id="case-${id}">${id}</span>`)}</span>`,
  ]);
  return table(`${title}, without a call`, ['@why', '#cases', 'which'], rows, 'No case.');
}

function article(one: CaseResult): Html {
  const { id, exception, exchange, level, message, otherwise } = one;
  const standing = standingOf(one);
  const curl = shownCurl(one.curl);
  return html`<article class="${standing}" aria-labelledby="case-${id}">
<h3 id="case-${id}">${id}</h3><p class="tags"><span class="tag ${standing}">${standing === 'excepted' ? `${one.verdict}, excepted` : standing}</span><span class="tag">${level}</span><span class="dim">${groupTitle(one.group)} · ${visibleLine(one.rule)}</span></p>
${message === null ? null : html`<p class="message">${sentence(message)}</p>`}
${exception === null ? null : html`<p class="reason"><strong>Exception:</strong> ${sentence(exception)}</p>`}
${facts([
  ['Given', visibleLine(one.given)],
  ['When', visibleLine(one.when)],
  ['Expected', visibleLine(one.expected)],
  ...(otherwise === undefined ? [] : [['Also legal', visibleLine(otherwise)] as const]),
])}
${exchange === null ? null : html`<div class="pair">${half('The call', readableRequest(exchange))}${half("The wallet's answer", readableReply(exchange))}</div>`}
${curl === null ? null : html`<h4>The call as curl</h4><pre>${curl}</pre>`}
${one.steps.length === 0 ? null : html`<h4>What led there</h4><pre>${linesOf(one.steps).join('\n')}</pre>`}
${one.details.length === 0 ? null : html`<h4>Details</h4><pre>${one.details.map(visible).join('\n')}</pre>`}
</article>
`;
}

function half(title: string, { line, headers, body, note }: ReadableMessage): Html {
  return html`<div><h4>${title}</h4><p class="line">${line}</p>${headers.length === 0 ? null : html`<ul class="headers">${headers.map((one) => html`<li>${one}</li>`)}</ul>`}${body === '' ? null : html`<pre>${body}</pre>`}${note === null ? null : html`<p class="dim note">${note}</p>`}</div>`;
}
