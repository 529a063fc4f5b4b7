import { schemasOf } from '../../../platform/validation';
import type { Exchange, WalletReply } from '../client';
import type { CaseResult, CertificationResult } from '../talk/case';
import { tallyOf, wireAmount, withoutLogins, counted } from './facts';

const folder = 'certification';
const schemas = schemasOf(folder, ['result']);

/**
 * The report as JSON, for programs; its schema is schemas/certification/result.json. Amounts are decimal texts
 * in the wire's unit, times are ISO 8601, and a body that is not UTF-8 is base64.
 */
export function jsonReport(given: CertificationResult): string {
  const result = withoutLogins(given);
  const { startedAt, mostAtRisk, money, cases, outcome, summary, ...rest } = result;
  const { untried: notTried, ...tally } = tallyOf(cases);
  const document = {
    $schema: `https://rgs-wallet-kit/schemas/${folder}/result.json`,
    outcome,
    summary,
    counts: { total: cases.length, ...tally, notTried },
    ...pick(rest, 'version', 'seed', 'profile', 'urls', 'operatorId', 'currency', 'gameCode'),
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
    cases: cases.map(caseOf),
  };
  return `${escaped(JSON.stringify(document, null, 2))}\n`;
}

/** Characters that steer a terminal or turn a line around, escaped as JSON may: the document stays the same. */
function escaped(text: string): string {
  return text.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
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
    ...pick(one, 'verdict', 'message', 'needs', 'exception'),
    left: (one.left ?? []).map(({ playerId, units }) => ({
      playerId,
      difference: wireAmount(units),
    })),
    at: new Date(one.at).toISOString(),
    ...pick(one, 'durationMs', 'details', 'curl'),
    exchange: one.exchange === null ? null : exchangeOf(one.exchange),
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
export function badgeLine({ cases, outcome, profile, version }: CertificationResult): string {
  const { excepted } = tallyOf(cases);
  const what = outcome === 'failed' ? 'not passed' : outcome;
  const but = outcome === 'passed' && excepted > 0 ? `, ${counted(excepted, 'exception')}` : '';
  const message = `${what} (${profile}, ${version})${but}`;
  const colour =
    outcome === 'passed'
      ? but === ''
        ? '2e7d4f'
        : 'a07a1c'
      : outcome === 'failed'
        ? 'a3231c'
        : '6b7280';
  const label = 'wallet certification';
  const path = [label, message, colour].map(segment).join('-');
  return `![${label}: ${message}](https://img.shields.io/badge/${path})`;
}

/** A part of the address: a hyphen and a low line are written twice. */
function segment(text: string): string {
  const doubled = text.replaceAll('-', '--').replaceAll('_', '__');
  return encodeURIComponent(doubled).replace(/[()!'*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}
