import type { CaseResult, CertificationResult } from '../talk/case';
import { byReason, untriedOf } from '../run/untried';
import { withoutLogins } from './cleaned';
import {
  byGroup,
  byMessage,
  gradeOf,
  isDecisive,
  type Standing,
  standingOf,
  standingNames,
  standings,
  type Tally,
  tallyOf,
} from './facts';
import { visibleLine } from './readable';
import { linesOf } from './step-lines';
import { counted, durationInWords, wireDifference } from './words';
import { wireAmount } from '../run/obstacles';

/** Colours of the terminal; without colours every text stays unchanged. */
export interface ReportStyle {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly dim: (text: string) => string;
}

/** Most steps of a case that are printed. */
const mostSteps = 8;
/** Most ids in the line of what was not tried. */
const mostIds = 8;

/**
 * The report as lines for a terminal: the groups, each case that did not pass (required ones first, with the steps that
 * led to it as curl lines), what was not tried, the money, and the outcome last.
 */
export function summaryTable(given: CertificationResult, style: ReportStyle): string[] {
  const result = withoutLogins(given);
  const open = result.cases.filter((one) => !['passed', 'untried'].includes(standingOf(one)));
  const order = [...open.filter(isDecisive), ...open.filter((one) => !isDecisive(one))];
  const blocks = [
    groupLines(result, style),
    [...openLines(order, style), ...untriedLines(result, style)],
    [...moneyLines(result), `results  ${visibleLine(result.resultsHash)}`],
    [outcomeLine(result, style)],
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

/** The colour of a standing. */
export function paintOf(standing: Standing, style: ReportStyle): (text: string) => string {
  const paints = { passed: style.good, failed: style.bad } as const;
  return standing === 'passed' || standing === 'failed' ? paints[standing] : style.warn;
}

function groupLines({ cases }: CertificationResult, style: ReportStyle): string[] {
  const groups = byGroup(cases);
  if (groups.length === 0) return [];
  const wide = Math.max(...groups.map(({ group }) => group.length), 'group'.length) + 2;
  const line = (name: string, tally: Tally): string =>
    name.padEnd(wide) +
    standings.map((standing) => cell(standing, tally[standing], style)).join('');
  return [
    style.dim(
      'group'.padEnd(wide) +
        standings.map((name) => standingNames[name].padStart(columnWidth(name))).join(''),
    ),
    ...groups.map(({ group, tally }) => line(group, tally)),
    line('all', tallyOf(cases)),
  ];
}

function columnWidth(standing: Standing): number {
  return standingNames[standing].length + 2;
}

function cell(standing: Standing, count: number, style: ReportStyle): string {
  const text = String(count).padStart(columnWidth(standing));
  return count === 0 ? style.dim(text) : paintOf(standing, style)(text);
}

/** Three or more that could not be decided for one reason are one line. */
function openLines(open: readonly CaseResult[], style: ReportStyle): string[] {
  const undecided = open.filter((one) => standingOf(one) === 'inconclusive');
  const many = byMessage(undecided).filter(([, cases]) => cases.length > 2);
  const listed = new Set(many.flatMap(([, cases]) => cases));
  return [
    ...open.filter((one) => !listed.has(one)).flatMap((one) => caseLines(one, style)),
    ...many.flatMap(([message, { length }]) => [
      `${style.warn('inconclusive')}  ${length} cases`,
      `  ${visibleLine(message)}`,
    ]),
  ];
}

/** Only what decides is shown with its calls. */
function caseLines(one: CaseResult, style: ReportStyle): string[] {
  const { id, group, level, verdict, exception, message } = one;
  const standing = standingOf(one);
  return [
    `${paintOf(standing, style)(standing)}  ${group}/${id} (${level})`,
    ...(message === null ? [] : [`  ${visibleLine(message)}`]),
    ...(exception === null ? [] : [`  ${verdict}, excepted: ${visibleLine(exception)}`]),
    ...(isDecisive(one) ? stepLines(one).map((line) => style.dim(`  ${line}`)) : []),
  ];
}

/** The steps and the call that shows it, each with what was answered as a comment of the shell. */
function stepLines({ exchange, steps }: CaseResult): string[] {
  if (exchange === null) return [];
  const shown = steps.slice(-mostSteps);
  const hidden = steps.length - shown.length;
  return [
    ...(hidden === 0 ? [] : [`# ${counted(hidden, 'earlier step')} in the reports`]),
    ...linesOf(shown),
    '# the call that shows it',
    ...linesOf([exchange]),
  ];
}

/** A line for each option that was not given. */
function untriedLines(result: CertificationResult, style: ReportStyle): string[] {
  return byReason(untriedOf(result)).map(([why, list]) => {
    const ids = list.slice(0, mostIds).map(({ id }) => id);
    const more = list.length > ids.length ? `, and ${list.length - ids.length} more` : '';
    return style.dim(`not tried, ${visibleLine(why)}: ${ids.join(', ')}${more}`);
  });
}

function moneyLines({ money, currency, mostAtRisk }: CertificationResult): string[] {
  const of = visibleLine(currency);
  const lines = money.map(({ playerId, start, end }) => {
    const change =
      end === null
        ? 'the end is not known'
        : `${wireAmount(end)} at the end (${wireDifference(end - start)})`;
    return `money    ${visibleLine(playerId)}: ${wireAmount(start)} at the start, ${change}, in ${of} as on the wire`;
  });
  if (lines.length === 0) return [];
  return [...lines, `at risk  ${wireAmount(mostAtRisk)} at most`, `left     ${leftInWords(money)}`];
}

/** What of the players' money the run did not give back. */
function leftInWords(money: CertificationResult['money']): string {
  const differing = money.filter(({ start, end }) => start !== end);
  if (differing.length === 0) return 'nothing: every player has the balance of the start';
  return differing
    .map(({ playerId, start, end }) => {
      const difference = end === null ? 'not known' : wireDifference(end - start);
      return `${visibleLine(playerId)} ${difference}`;
    })
    .join(', ');
}

function outcomeLine(result: CertificationResult, style: ReportStyle): string {
  const { outcome, summary, durationMs } = result;
  const { good, bad, warn } = style;
  const paint = { whole: good, partial: warn, failed: bad, unrun: warn }[gradeOf(result)];
  return `${paint(outcome)}: ${visibleLine(summary)} ${style.dim(`(${durationInWords(durationMs)})`)}`;
}
