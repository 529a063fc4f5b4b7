import { count, counted, type Html, html, type HtmlPart, verdict } from '../../../../platform/html';
import type { CaseResult, CertificationResult } from '../../talk/case';
import { countsOf, type Grade, gradeOf, isDecisive } from '../facts';
import { sentence } from '../readable';
import { changes, changed } from './money';

/** Amber is a pass that is not whole, too: it must not look like one that is. */
const tones = { whole: 'good', partial: 'warn', failed: 'bad', unrun: 'warn' } as const;

/** Most cases that are named after the first one. */
const mostNamed = 3;

/** Most characters of the first one's message, which may quote the wallet. */
const mostSaid = 200;

/** How the run ended, why, and what to do next. */
export function verdictOf(result: CertificationResult): Html {
  const grade = gradeOf(result);
  const isBroken = result.cases.some((one) => one.group === 'basics' && isDecisive(one));
  // A run that ended early has one cause, which its own sentence names.
  const text =
    grade === 'unrun' || isBroken
      ? sentence(result.summary)
      : html`${reasonOf(result, grade)} ${moneyOf(result)}`;
  return verdict({ tone: tones[grade], title: titleOf(result, grade), text });
}

function titleOf(result: CertificationResult, grade: Grade): string {
  if (result.outcome === 'broken off') return 'Broken off';
  if (grade === 'unrun') return 'Could not be run';
  const { failed, inconclusive, untried, excepted } = countsOf(result, 'required');
  if (grade === 'failed') {
    const why = [
      ...(failed === 0 ? [] : [`${counted(failed, 'required case')} failed`]),
      ...(inconclusive === 0 ? [] : [`${inconclusive} inconclusive`]),
    ];
    return `Not passed: ${why.join(', ')}`;
  }
  return [
    'Passed',
    ...(untried === 0 ? [] : [`${counted(untried, 'required case')} not tried`]),
    ...(excepted === 0 ? [] : [counted(excepted, 'exception')]),
  ].join(', ');
}

function reasonOf(result: CertificationResult, grade: Grade): HtmlPart {
  const { total, untried, excepted } = countsOf(result, 'required');
  if (grade === 'failed') {
    const against = result.cases.filter(isDecisive);
    return html`${named(against)} The annex has each with its calls. A known difference can be named by --except.`;
  }
  if (grade === 'whole') return `All required cases passed: ${count(total)}.`;
  const why =
    untried === 0 ? null : html` <a href="#untried">What was not tried</a> needs other options.`;
  const except = excepted === 0 ? null : html` <a href="#exceptions">Exceptions</a> do not count.`;
  return html`Every required case that ${excepted === 0 ? 'was tried' : 'counts'} passed.${why}${except}`;
}

function named([first, ...others]: readonly CaseResult[]): HtmlPart {
  if (first === undefined) return null;
  const said = sentence(first.message ?? first.verdict);
  const cut = said.length > mostSaid ? `${said.slice(0, mostSaid).toWellFormed()}…` : said;
  const links = others.slice(0, mostNamed).map((one, at) => {
    return html`${at === 0 ? null : ', '}${link(one)}`;
  });
  const more = others.length - links.length;
  const also = html` Also ${links}${more > 0 ? ` and ${more} more` : null}.`;
  return html`${link(first)}: ${cut}${others.length === 0 ? null : also}`;
}

function link({ id }: CaseResult): Html {
  return html`<a href="#case-${id}">${id}</a>`;
}

function moneyOf(result: CertificationResult): HtmlPart {
  if (result.money.length === 0) return null;
  if (changed(result.money).length === 0) return 'Every balance was restored.';
  const isUnknown = changed(result.money).every(({ end }) => end === null);
  return html`${isUnknown ? 'Whether balances were restored is open' : 'Balances were not restored'}: ${changes(result)}.`;
}
