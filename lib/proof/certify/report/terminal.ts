import type { CaseResult, CertificationResult } from '../talk/case';
import {
  byGroup,
  durationInWords,
  shownCurl,
  type Standing,
  standingOf,
  standingNames,
  standings,
  type Tally,
  tallyOf,
  visibleLine,
  wireAmount,
  wireDifference,
  withoutLogins,
} from './facts';

/** Colours of the terminal; without colours every text stays unchanged. */
export interface ReportStyle {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly dim: (text: string) => string;
}

/**
 * The report as lines for a terminal: the groups, each case that did not pass with its sentence and its curl
 * line, the money, and the outcome last.
 */
export function summaryTable(given: CertificationResult, style: ReportStyle): string[] {
  const result = withoutLogins(given);
  const open = result.cases.filter((one) => !['passed', 'untried'].includes(standingOf(one)));
  const blocks = [
    groupLines(result, style),
    [...openLines(open, style), ...untriedLines(result, style)],
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
  const reasons = new Map<string, CaseResult[]>();
  for (const one of open) {
    if (standingOf(one) !== 'inconclusive' || one.message === null) continue;
    reasons.set(one.message, [...(reasons.get(one.message) ?? []), one]);
  }
  const many = [...reasons].filter(([, cases]) => cases.length > 2);
  const listed = new Set(many.flatMap(([, cases]) => cases));
  return [
    ...open.filter((one) => !listed.has(one)).flatMap((one) => caseLines(one, style)),
    ...many.flatMap(([message, { length }]) => [
      `${style.warn('inconclusive')}  ${length} cases`,
      `  ${visibleLine(message)}`,
    ]),
  ];
}

function caseLines(one: CaseResult, style: ReportStyle): string[] {
  const { id, group, level, verdict, exception, message } = one;
  const standing = standingOf(one);
  const head = `${paintOf(standing, style)(standing)}  ${group}/${id} (${level})`;
  const curl = standing === 'failed' ? shownCurl(one.curl) : null;
  return [
    head,
    ...(message === null ? [] : [`  ${visibleLine(message)}`]),
    ...(exception === null ? [] : [`  ${verdict}, excepted: ${visibleLine(exception)}`]),
    ...(curl === null ? [] : [style.dim(`  ${curl}`)]),
  ];
}

/** A line for each option that was not given. */
function untriedLines({ cases }: CertificationResult, style: ReportStyle): string[] {
  const ids = new Map<string, string[]>();
  for (const one of cases) {
    if (standingOf(one) !== 'untried' || one.needs === null) continue;
    ids.set(one.needs, [...(ids.get(one.needs) ?? []), one.id]);
  }
  return [...ids].map(([option, list]) =>
    style.dim(`not tried without ${visibleLine(option)}: ${list.join(', ')}`),
  );
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
  if (lines.length > 0) lines.push(`at risk  ${wireAmount(mostAtRisk)} at most`);
  return lines;
}

function outcomeLine(
  { outcome, summary, durationMs }: CertificationResult,
  style: ReportStyle,
): string {
  const paint = { passed: style.good, failed: style.bad, 'not run': style.warn }[outcome];
  return `${paint(outcome)}  ${visibleLine(summary)} ${style.dim(`(${durationInWords(durationMs)})`)}`;
}
