import {
  badge,
  card,
  facts,
  type Html,
  html,
  type HtmlPart,
  part,
  stackedTable,
} from '../../../../platform/html';
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
import { standingBadge } from './standing';

/** Every case that did not pass, with its calls: required ones first, advisory ones folded. */
export function findings({ cases, outcome }: CertificationResult): HtmlPart {
  const open = cases.filter((one) => ['failed', 'inconclusive'].includes(standingOf(one)));
  const decisive = (verdict: string) =>
    open.filter((one) => isDecisive(one) && one.verdict === verdict);
  const excepted = cases.filter((one) => standingOf(one) === 'excepted');
  const advisory = open.filter((one) => !isDecisive(one));
  const parts = [
    casesPart(
      'failed',
      'Failed',
      'Each breaks a rule of the specification, which it names.',
      decisive('failed'),
    ),
    casesPart(
      'inconclusive',
      'Inconclusive',
      'Each is required and could not be decided. An inconclusive case does not pass.',
      decisive('inconclusive'),
    ),
    casesPart('excepted', 'Exceptions in full', 'Their reasons are on the first page.', excepted),
    casesPart(
      'advisory',
      'Advisory',
      'The specification leaves these open, or they could not be decided. They do not decide the outcome.',
      advisory,
      folded,
    ),
  ];
  const isClean = parts.every((one) => one === null) && outcome !== 'not run';
  if (!isClean) return parts;
  return part('failed', 'Failed', null, card('Nothing. Every case that was tried passed.'));
}

function casesPart(
  anchor: string,
  title: string,
  about: string,
  cases: readonly CaseResult[],
  shown: (one: CaseResult) => Html = unfolded,
): Html | null {
  if (cases.length === 0) return null;
  const bare = bareOf(cases);
  const cards = cases.filter((one) => !bare.includes(one)).map(shown);
  const all = html`<p class="dim">${about}</p>${cards}${bareTable(title, bare)}`;
  return part(anchor, `${title} (${cases.length})`, null, all);
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
  return stackedTable(`${title}, without a call`, ['why', '#cases', 'which'], rows, null);
}

function unfolded(one: CaseResult): Html {
  return html`<article class="card" aria-labelledby="case-${one.id}"><h3 id="case-${one.id}">${one.id}</h3>${evidence(one)}</article>
`;
}

/** One line until it is opened. */
function folded(one: CaseResult): Html {
  return html`<details class="card"><summary><h3 id="case-${one.id}">${one.id}</h3> ${sentence(one.message ?? one.verdict)}</summary><article aria-labelledby="case-${one.id}">${evidence(one)}</article></details>
`;
}

function evidence(one: CaseResult): Html {
  const { exception, exchange, level, message, otherwise } = one;
  const standing = standingOf(one);
  const curl = shownCurl(one.curl);
  return html`<p>${standingBadge(standing, standing === 'excepted' ? `${one.verdict}, excepted` : standing)} ${badge('plain', level)} <span class="dim">${groupTitle(one.group)} · ${visibleLine(one.rule)}</span></p>
${message === null ? null : html`<p><b>${sentence(message)}</b></p>`}
${exception === null ? null : html`<p class="notice note"><b>Exception:</b> ${sentence(exception)}</p>`}
${facts([
  ['Given', visibleLine(one.given)],
  ['When', visibleLine(one.when)],
  ['Expected', visibleLine(one.expected)],
  ...(otherwise === undefined ? [] : [['Also legal', visibleLine(otherwise)] as const]),
])}
${exchange === null ? null : html`<div class="pair">${half('The call', readableRequest(exchange))}${half("The wallet's answer", readableReply(exchange))}</div>`}
${texts('The call as curl', curl === null ? [] : [curl])}${texts('What led there', linesOf(one.steps))}${texts('Details', one.details.map(visible))}`;
}

function half(title: string, { line, headers, body, note }: ReadableMessage): Html {
  const names = headers.map((one) => html`<li>${one}</li>`);
  return html`<div><h4>${title}</h4><p class="line">${line}</p>${names.length === 0 ? null : html`<ul class="headers">${names}</ul>`}${body === '' ? null : html`<pre>${body}</pre>`}${note === null ? null : html`<p class="dim">${note}</p>`}</div>`;
}

function texts(title: string, lines: readonly string[]): Html | null {
  return lines.length === 0 ? null : html`<h4>${title}</h4><pre>${lines.join('\n')}</pre>`;
}
