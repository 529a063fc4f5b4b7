import { schemasOf } from '../../../platform/validation';
import type { Exchange, WalletReply } from '../client';
import type { CaseResult, CertificationResult } from '../talk/case';
import { digestOf, written } from './canonical';
import { withoutLogins, withoutSignatures } from './cleaned';
import { type Counts, countsOf, gradeOf } from './facts';
import { counted } from './words';
import { wireAmount } from '../run/obstacles';

const folder = 'certification';
const schemas = schemasOf(folder, ['result']);

/** Signs a digest. Returns a signature line of C2SP's signed-note. */
type SignDigest = (digest: string) => string;

/**
 * The report as JSON, for programs; its schema is schemas/certification/result.json. Amounts are decimal texts
 * in the wire's unit, times are ISO 8601, and a body that is not UTF-8 is base64. It holds no signature of a call.
 */
export function jsonReport(given: CertificationResult, sign: SignDigest | null = null): string {
  const members = membersOf(given);
  const digest = digestOf(members);
  const signature = { digest, line: sign === null ? null : sign(digest) };
  return `${written({ ...members, signature }, 2)}\n`;
}

/** The digest of the JSON report, signed or not (see {@link digestOf}). */
export function reportDigest(result: CertificationResult): string {
  return digestOf(membersOf(result));
}

function membersOf(given: CertificationResult): object {
  const result = withoutSignatures(withoutLogins(given));
  const { startedAt, mostAtRisk, money, cases, leftOut, ...rest } = result;
  return {
    $schema: `https://rgs-wallet-kit/schemas/${folder}/result.json`,
    ...pick(rest, 'outcome', 'summary'),
    isWhole: gradeOf(result) === 'whole',
    counts: countsForPrograms(countsOf(result)),
    requiredCounts: countsForPrograms(countsOf(result, 'required')),
    ...pick(rest, 'wallet', 'runBy', 'version', 'seed', 'profile', 'urls', 'operatorId'),
    ...pick(rest, 'currency', 'gameCode'),
    startedAt: new Date(startedAt).toISOString(),
    ...pick(rest, 'durationMs', 'resultsHash'),
    mostAtRisk: wireAmount(mostAtRisk),
    money: money.map(({ playerId, start, end }) => ({
      playerId,
      start: wireAmount(start),
      end: end === null ? null : wireAmount(end),
      difference: end === null ? null : wireAmount(end - start),
    })),
    timings: rest.timings,
    leftOut,
    cases: cases.map(caseOf),
  };
}

function countsForPrograms(counts: Counts): object {
  const { untried: notTried, ...rest } = counts;
  return { ...rest, notTried };
}

/** What is wrong with a parsed JSON report, by its schema; null if nothing. For programs that read one. */
export function findReportFault(value: unknown): string | null {
  return schemas.findFault('result', value);
}

function pick<T, Name extends keyof T>(from: T, ...names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, Name>;
}

function caseOf(one: CaseResult): object {
  const names = ['id', 'group', 'level', 'rule', 'given', 'when', 'expected'] as const;
  return {
    ...pick(one, ...names),
    otherwise: one.otherwise ?? null,
    verdict: one.needs === null ? one.verdict : 'not tried',
    ...pick(one, 'message', 'needs', 'exception'),
    left: (one.left ?? []).map(({ playerId, units }) => ({
      playerId,
      difference: wireAmount(units),
    })),
    at: new Date(one.at).toISOString(),
    ...pick(one, 'durationMs', 'details', 'curl'),
    exchange: one.exchange === null ? null : exchangeOf(one.exchange),
    steps: one.steps.map((step) => (typeof step === 'string' ? step : exchangeOf(step))),
  };
}

function exchangeOf({ url, request, reply }: Exchange): object {
  const { method, path, headers, body } = request;
  return {
    url,
    request: { method, path, headers, body: body === null ? null : bodyOf(body) },
    reply: replyOf(reply),
  };
}

function replyOf(reply: WalletReply): object {
  if (reply.kind !== 'reply') return { ...reply };
  const { kind, status, headers, body, ms } = reply;
  return { kind, status, headers, body: bodyOf(body), ms };
}

function bodyOf(body: Uint8Array): object {
  const bytes = Buffer.from(body);
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes)
    ? { encoding: 'utf8', content: text }
    : { encoding: 'base64', content: bytes.toString('base64') };
}

/**
 * A line of Markdown with a badge, for the README of a wallet: the outcome, the profile and the version. The
 * picture comes from shields.io, and says only what the line says.
 */
export function badgeLine(result: CertificationResult): string {
  const { profile, version } = result;
  const message = `${badgeWord(result)} (${profile}, ${version})`;
  const colour = { whole: '2e7d4f', partial: 'a07a1c', failed: 'a3231c', unrun: '6b7280' };
  const label = 'wallet certification';
  const path = [label, message, colour[gradeOf(result)]].map(segment).join('-');
  return `![${label}: ${message}](https://img.shields.io/badge/${path})`;
}

function badgeWord(result: CertificationResult): string {
  const { outcome } = result;
  if (outcome !== 'passed') return outcome === 'failed' ? 'not passed' : outcome;
  const { passed, total, untried, excepted } = countsOf(result, 'required');
  return [
    untried === 0 ? 'passed' : `passed ${passed} of ${total}, ${untried} not tried`,
    ...(excepted === 0 ? [] : [counted(excepted, 'exception')]),
  ].join(', ');
}

/** A part of the address: a hyphen and a low line are written twice. */
function segment(text: string): string {
  const doubled = text.replaceAll('-', '--').replaceAll('_', '__');
  return encodeURIComponent(doubled).replace(/[()!'*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}
