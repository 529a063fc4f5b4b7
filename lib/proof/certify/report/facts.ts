import type { Group, CaseResult, CertificationResult } from '../talk/case';
import { counts } from '../run/conclusion';
import { parseJson } from '../../../protocol/json/parse';
import type { Exchange } from '../client';
import { formatAmount } from '../../../protocol/money/amount';
import { decimals } from '../talk';

/** Every {@link Standing}, in the order of the columns. */
export const standings = ['passed', 'failed', 'inconclusive', 'untried', 'excepted'] as const;

/**
 * How a case stands in the report. One that needs an option is untried; an excepted one failed or stayed
 * undecided for a known reason. Neither counts.
 */
export type Standing = (typeof standings)[number];

/** Every {@link Standing} as a reader knows it. */
export const standingNames: Readonly<Record<Standing, string>> = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  untried: 'not tried',
  excepted: 'excepted',
};

/** How a case stands. */
export function standingOf({ verdict, needs, exception }: CaseResult): Standing {
  if (verdict === 'passed') return verdict;
  if (needs !== null) return 'untried';
  return exception === null ? verdict : 'excepted';
}

/** Cases by their standing. */
export type Tally = Readonly<Record<Standing, number>>;

/** Counts cases by their standing. */
export function tallyOf(cases: readonly CaseResult[]): Tally {
  const tally = { passed: 0, failed: 0, inconclusive: 0, untried: 0, excepted: 0 };
  for (const one of cases) tally[standingOf(one)] += 1;
  return tally;
}

/** Whether the run cannot pass because of the case: required, without an exception, and not passed. */
export function isDecisive(one: CaseResult): boolean {
  return counts(one);
}

/** The cases of one group. */
export interface GroupCases {
  readonly group: Group;
  readonly cases: readonly CaseResult[];
  readonly tally: Tally;
}

/** The cases by group, both in the order of the run. */
export function byGroup(cases: readonly CaseResult[]): GroupCases[] {
  const groups = new Map<Group, CaseResult[]>();
  for (const one of cases) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return [...groups].map(([group, list]) => ({ group, cases: list, tally: tallyOf(list) }));
}

/** `3 passed, 1 failed`: what is not 0, in words. */
export function tallyInWords(tally: Tally): string {
  const parts = standings
    .filter((standing) => tally[standing] > 0)
    .map((standing) => `${tally[standing]} ${standingNames[standing]}`);
  return parts.length === 0 ? 'no case' : parts.join(', ');
}

/** What the cases of each group ask, in one line. */
export const groupQuestions: Readonly<Record<Group, string>> = {
  basics: 'Does a balance, a round and a void work at all?',
  signature: 'Is a call with a wrong, old or missing signature refused, without moving money?',
  'request-form': 'Is a body or a header of the wrong form refused without an effect?',
  ordering: 'Are the transactions of a call applied in their order?',
  'partial-outcomes':
    'Does a reply say, transaction by transaction, what was done and what was refused?',
  idempotency: 'Does a repeated call move money once, and get the same answer?',
  'key-reuse': 'Does a known hash with other content move nothing?',
  voids: 'Does a void return a stake once, even if it arrives before its debit?',
  states: 'Does a round accept what its state allows, and nothing else?',
  credits: 'Is a credit paid exactly once, whatever its size and the balance?',
  concurrency: 'Do concurrent calls behave as if they came one after the other?',
  'free-plays': 'Is a free play free, and are its winnings paid?',
  amounts: 'Are amounts exact at every size, and wrong ones refused?',
  'get-balance': 'Does getBalance return what the player has, and nothing about others?',
  tenancy: 'Are operators, players and currencies kept apart?',
  replay: 'Is a captured signature useless for another call?',
  robustness: 'Does the wallet survive hostile and broken requests?',
  retention: 'Are hashes, rounds, voids and signatures still known after a restart?',
  histories: 'Do random histories of calls, repeats and voids end with the right money?',
  crashes: 'Is acknowledged money still there after the wallet is killed?',
  memory: 'Does the wallet still know at the end of a run what came at its beginning?',
  load: 'Does the wallet keep to the rules, and answer, under load?',
};

/** `get-balance` is `Get balance`. */
export function groupTitle(group: string): string {
  const words = group.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A body for a reader. */
interface ReadableBody {
  readonly text: string;
  /** What the text does not show of the bytes; null if nothing. */
  readonly note: string | null;
}

/** Characters of a body that are shown. */
export const maxShown = 4096;

/**
 * A body to be read: JSON is indented, its numbers and strings unchanged; what cannot be shown is written as a
 * code, and a long body is cut.
 */
export function readableBody(body: Uint8Array | null): ReadableBody {
  if (body === null || body.byteLength === 0) return { text: '', note: 'no body' };
  const bytes = Buffer.from(body);
  const decoded = bytes.toString('utf8');
  const isText = Buffer.from(decoded).equals(bytes);
  const text = visible(indented(decoded));
  const notes = [
    ...(isText ? [] : ['not UTF-8: wrong bytes are shown as \u{FFFD}']),
    ...(text.length > maxShown ? [`cut; the body has ${bytes.byteLength} bytes`] : []),
  ];
  return { text: cut(text), note: notes.length === 0 ? null : notes.join('; ') };
}

function cut(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown).toWellFormed()}…`;
}

/** JSON with a member a line; any other text unchanged. */
function indented(text: string): string {
  try {
    parseJson(text);
  } catch {
    return text;
  }
  let written = '';
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === '{' || token === '[') written += token + newLine(++depth);
    else if (token === '}' || token === ']') written += newLine(--depth) + token;
    else if (token === ',') written += token + newLine(depth);
    else if (token === ':') written += ': ';
    else written += /^[{[]/.test(token) ? token.replace(/\s/g, '') : token;
  }
  return written;
}

function newLine(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}

/** The result without the user name and password that an address of the wallet may hold. */
export function withoutLogins(result: CertificationResult): CertificationResult {
  const withLogin = result.urls.filter((url) => plain(url) !== url);
  if (withLogin.length === 0) return result;
  const cleaned = (text: string): string =>
    withLogin.reduce((rest, url) => {
      const bare = url.replace(/\/$/, '');
      return rest.replaceAll(bare, plain(bare));
    }, text);
  return {
    ...result,
    urls: result.urls.map(plain),
    cases: result.cases.map((one) => ({
      ...one,
      message: one.message === null ? null : cleaned(one.message),
      details: one.details.map(cleaned),
      exchange: one.exchange === null ? null : { ...one.exchange, url: cleaned(one.exchange.url) },
      curl: one.curl === null ? null : cleaned(one.curl),
    })),
  };
}

function plain(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/]*@/, '$1');
}

/** A message of HTTP for a reader. */
export interface ReadableMessage {
  /** `POST https://wallet/doTransactions`, or `400 after 12 ms`. */
  readonly line: string;
  /** `name: value` each. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly note: string | null;
}

/** The request to the wallet. */
export function readableRequest({ url, request }: Exchange): ReadableMessage {
  const { text, note } = readableBody(request.body);
  const headers = request.headers.map(([name, value]) => visibleLine(`${name}: ${value}`));
  const line = visibleLine(`${request.method} ${url.replace(/\/$/, '')}${request.path}`);
  return { line, headers, body: text, note };
}

/** What came of it. */
export function readableReply({ reply }: Exchange): ReadableMessage {
  const after = durationInWords(reply.ms);
  const nothing = { headers: [], body: '', note: null };
  if (reply.kind === 'timeOut') return { ...nothing, line: `no reply within ${after}` };
  if (reply.kind === 'cut') {
    return { ...nothing, line: visibleLine(`no whole reply after ${after}: ${reply.why}`) };
  }
  const { text, note } = readableBody(reply.body);
  const headers = Object.entries(reply.headers).map(([name, value]) =>
    visibleLine(`${name}: ${value}`),
  );
  return { line: `${reply.status} after ${after}`, headers, body: text, note };
}

/** A message as plain text. */
export function messageText({ line, headers, body, note }: ReadableMessage): string {
  const remark = note === null ? '' : `\n(${note})`;
  return `${[line, ...headers].join('\n')}${body === '' ? '' : `\n\n${body}`}${remark}`;
}

/** Controls, format characters such as a change of direction, halves of a pair, and what XML forbids. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/**
 * A text with every character that does not show, or that changes how others show, written as `[U+001B]`. Ends
 * of lines and tabs remain. What is left can stand in a terminal, in XML and in HTML once it is escaped.
 */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(invisible, (character) => {
    if (character === '\n' || character === '\t') return character;
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/** The same in one line. */
export function visibleLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

/** A curl line, if it can be copied from a report; null if it holds characters that do not show. */
export function shownCurl(curl: string | null): string | null {
  return curl === null || visible(curl) !== curl ? null : curl;
}

/** A text in one line, with a capital at its beginning and a full stop at its end. */
export function sentence(text: string): string {
  const line = visibleLine(text);
  return line.charAt(0).toUpperCase() + line.slice(1) + (/[.!?…]$/.test(line) ? '' : '.');
}

/** An amount in units as the wire's number: 105000n is `10.5`. */
export function wireAmount(units: bigint): string {
  return formatAmount(units, decimals);
}

/** A difference in units with its sign: `+10.5`, `-3`, `0`. */
export function wireDifference(units: bigint): string {
  return units > 0n ? `+${wireAmount(units)}` : wireAmount(units);
}

/** `2026-11-22 11:24:43 UTC` of milliseconds since 1970. */
export function instantInWords(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `850 ms`, `8.2 s`, `3 min 20 s`. */
export function durationInWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `1 case`, `2 cases`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
