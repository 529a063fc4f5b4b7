import type { CaseResult, CertificationResult } from '../talk/case';
import { withoutLogins, withoutSignatures } from './cleaned';
import { byGroup, type GroupCases, isDecisive, standingOf } from './facts';
import {
  messageText,
  readableReply,
  readableRequest,
  shownCurl,
  visible,
  visibleLine,
} from './readable';
import { linesOf } from './step-lines';

/**
 * The report as JUnit XML: a suite for each group, a test case for each case. It has a failure or an error
 * exactly if the outcome is not `passed`: a required case that failed is a failure, one that stayed undecided
 * an error, and what does not count (advisory, excepted) is skipped, with the reason.
 */
export function junitReport(given: CertificationResult): string {
  const result = withoutSignatures(withoutLogins(given));
  const suites = byGroup(result.cases).map((group, index) => suite(result, group, index));
  // What stops a whole run is no case's failure; a file without a failure would be read as passed.
  const isSilent = result.outcome !== 'passed' && !result.cases.some(isDecisive);
  if (isSilent) suites.push(runSuite(result, suites.length));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

function suite(result: CertificationResult, { group, cases }: GroupCases, index: number): string {
  const first = cases[0]?.at ?? result.startedAt;
  const took = cases.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const decisive = cases.filter(isDecisive);
  const failures = decisive.filter(({ verdict }) => verdict === 'failed').length;
  const passed = cases.filter(({ verdict }) => verdict === 'passed').length;
  const counts = {
    tests: cases.length,
    failures,
    errors: decisive.length - failures,
    skipped: cases.length - decisive.length - passed,
  };
  return written(result, { index, name: group, at: first, took, counts }, cases.map(testCase));
}

function runSuite(result: CertificationResult, index: number): string {
  const { startedAt: at, durationMs: took, summary } = result;
  const inner = element('error', { type: result.outcome, message: visibleLine(summary) }, '');
  const counts = { tests: 1, failures: 0, errors: 1, skipped: 0 };
  return written(result, { index, name: 'run', at, took, counts }, [
    element('testcase', { name: 'the run', classname: `${packageName}.run`, time: '0' }, inner),
  ]);
}

interface Suite {
  readonly index: number;
  readonly name: string;
  readonly at: number;
  readonly took: number;
  readonly counts: Readonly<Record<'tests' | 'failures' | 'errors' | 'skipped', number>>;
}

const packageName = 'rgs-wallet.certify';

function written(result: CertificationResult, one: Suite, cases: readonly string[]): string {
  const { index, name, at, took, counts } = one;
  const attributes = {
    name,
    package: packageName,
    id: index,
    timestamp: new Date(at).toISOString().slice(0, 19),
    hostname: hostOf(result.urls[0]),
    ...counts,
    time: seconds(took),
  };
  const output = '<system-out></system-out>\n<system-err></system-err>\n';
  return element('testsuite', attributes, `\n${properties(result)}${cases.join('')}${output}`);
}

function properties(result: CertificationResult): string {
  const { urls, operatorId, currency, profile, seed, version, outcome, resultsHash } = result;
  const { wallet: facts } = result;
  const wallet = [facts.name, facts.version, ...facts.sent].filter((one) => one !== null).join(' ');
  const all = { wallet, operatorId, currency, profile, seed, version, outcome, resultsHash };
  const pairs = Object.entries({ url: urls.join(' '), ...all });
  return element(
    'properties',
    {},
    pairs.map(([name, value]) => element('property', { name, value }, '')).join(''),
  );
}

function testCase(one: CaseResult): string {
  const { id, group, expected, durationMs } = one;
  const name = visibleLine(`${id}: ${expected}`);
  const attributes = { name, classname: `${packageName}.${group}`, time: seconds(durationMs) };
  return element('testcase', attributes, outcomeOf(one));
}

function outcomeOf(one: CaseResult): string {
  const { exception, level, needs, verdict } = one;
  const standing = standingOf(one);
  if (standing === 'passed') return '';
  const said = visibleLine(one.message ?? verdict);
  if (isDecisive(one)) {
    const [tag, type] = verdict === 'failed' ? ['failure', 'failed'] : ['error', 'inconclusive'];
    return element(tag, { message: said, type }, escaped(textOf(one)));
  }
  const reasons: Readonly<Record<typeof standing, string>> = {
    failed: `${level}, failed: ${said}`,
    inconclusive: `${level}, inconclusive: ${said}`,
    untried: `not tried: it needs ${needs}`,
    excepted: `${verdict}, excepted: ${visibleLine(exception ?? '')}`,
  };
  return element('skipped', { message: reasons[standing] }, escaped(textOf(one)));
}

/** All that the HTML report shows of the case, as text. */
function textOf(one: CaseResult): string {
  const { exchange, otherwise, message } = one;
  const curl = shownCurl(one.curl);
  const parts = [
    `Rule: ${one.rule}\nGiven ${one.given},\nwhen ${one.when},\nexpected: ${one.expected}.`,
    ...(otherwise === undefined ? [] : [`Also legal: ${otherwise}`]),
    ...(message === null ? [] : [message]),
    ...(exchange === null
      ? []
      : [
          `The call:\n${messageText(readableRequest(exchange))}`,
          `The wallet's answer:\n${messageText(readableReply(exchange))}`,
        ]),
    ...(curl === null ? [] : [curl]),
    ...(one.steps.length === 0 ? [] : [`What led there:\n${linesOf(one.steps).join('\n')}`]),
    ...(one.details.length === 0 ? [] : [`Details:\n${one.details.join('\n')}`]),
  ];
  return visible(parts.join('\n\n'));
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inner: string,
): string {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(visibleLine(String(value)))}"`,
  );
  return `<${name}${pairs.join('')}>${inner}</${name}>\n`;
}

const special: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => special[character] ?? '');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url)
    ? new URL(url).hostname || 'localhost'
    : 'localhost';
}
