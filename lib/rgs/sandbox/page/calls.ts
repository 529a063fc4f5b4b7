import {
  badge,
  field,
  type Html,
  html,
  part,
  remark,
  select,
  type Tone,
  verdict as verdictOf,
} from '../../../platform/html';
import { balanceIn } from '../process/accounts';
import type { FaultKind } from '../view/state';
import type { WireCall, WireView } from '../view/wire';
import { essenceOf, hashesOf, isWalletCall } from '../wire/essence';
import { unbroken } from '../wire/amounts';
import { curlOf, testOf } from './copy';
import { listed, roundLink, times } from './frame';

/** What the list of calls is filtered by; '' filters nothing. */
interface WireFilter {
  readonly line: string;
  readonly round: string;
  readonly status: string;
}

export const lineNames = {
  'provider-rgs': 'game → RGS',
  'rgs-wallet': 'RGS → wallet',
  'rgs-provider': 'RGS → game',
  'operator-rgs': 'casino → RGS',
} as const satisfies Record<WireCall['line'], string>;

/** The currency of a round; null if it is not known. */
export type CurrencyOf = (gameRound: string | null) => string | null;

const mostCalls = 60;

/** The latest calls on the four lines, latest first. */
export function wirePage(view: WireView, filter: WireFilter, currencyOf: CurrencyOf): Html {
  const again = resendsIn(view.calls);
  const wanted = view.calls.filter((call) => isWanted(call, filter)).toReversed();
  const calls = wanted.slice(0, mostCalls);
  const rows = calls.map((call) => [
    html`<a href="/call?n=${call.n}">${call.n}</a>`,
    times.clock(call.at),
    html`<span class="dim">${lineNames[call.line]}</span>`,
    html`<bdi>${callWords(call, currencyOf)}${again.has(call.n) ? ', sent again' : null}</bdi>`,
    call.round === null ? null : roundLink(call.round),
    call.cause === null ? null : html`<a href="/call?n=${call.cause}">${call.cause}</a>`,
    call.ms === null ? null : `${Math.round(call.ms)} ms`,
    answerOf(call),
  ]);
  const columns = ['call', 'time', 'line', 'what', 'round', '#because of', '#took', '#answer'];
  const beside = html`<small>${calls.length} of ${wanted.length} that match; ${view.latest} in all, of which the latest ${view.calls.length} are looked at</small>`;
  const below = calls.at(-1)?.n ?? view.calls[0]?.n ?? 1;
  const isMore = wanted.length > calls.length || below > view.oldest;
  return html`${filterForm(filter)}${part('calls', 'Calls', beside, listed('Calls', columns, rows, 'No call matches.'))}
${isMore && below > 1 ? html`<p><a href="${olderLink(filter, below)}">Older calls</a></p>` : null}`;
}

function olderLink(filter: WireFilter, before: number): string {
  return `/wire?${new URLSearchParams({ ...filter, before: String(before) }).toString()}`;
}

/** The latest calls as the overview shows them, oldest first. */
export function latestCalls(calls: readonly WireCall[], currencyOf: CurrencyOf): Html {
  const again = resendsIn(calls);
  const rows = calls.map((call) => [
    html`<a href="/call?n=${call.n}">${times.clock(call.at)}</a>`,
    html`<span class="dim">${lineNames[call.line]}</span>`,
    html`<bdi>${callWords(call, currencyOf)}${again.has(call.n) ? ', sent again' : null}</bdi>`,
    answerOf(call),
  ]);
  return listed(
    'The latest calls',
    ['time', 'line', 'call', '#answer'],
    rows,
    html`<b>No call yet</b>Each call between game, RGS, wallet and casino appears here.`,
  );
}

/** The calls with the transactions of an earlier one. */
function resendsIn(calls: readonly WireCall[]): ReadonlySet<number> {
  const seen = new Set<string>();
  const again = new Set<number>();
  for (const call of calls) {
    if (!isWalletCall(call)) continue;
    const key = JSON.stringify([call.round, hashesOf(call)]);
    if (seen.has(key)) again.add(call.n);
    seen.add(key);
  }
  return again;
}

/** A call with what it moves: `debit 2.00 EUR`, `addWin, win 2.50 EUR, collect`. */
export function callWords(call: WireCall, currencyOf: CurrencyOf): string {
  const { request } = essenceOf(call, writerOf(call, currencyOf));
  if (isWalletCall(call) && request !== '') return request;
  return request === '' ? call.call : `${call.call}, ${request}`;
}

/** What the reply says: `closed, credited 2.50 EUR`; empty for nothing. */
export function replyWords(call: WireCall, currencyOf: CurrencyOf): string {
  const { reply } = essenceOf(call, writerOf(call, currencyOf));
  const currency = isWalletCall(call) ? currencyOf(call.round) : null;
  const balance = currency === null ? null : balanceIn(call, currency);
  if (reply !== '' || balance === null || currency === null) return reply;
  return `balance ${unbroken(String(balance), currency)}`;
}

function writerOf({ round }: WireCall, currencyOf: CurrencyOf) {
  return (units: string, currency: string | null): string =>
    unbroken(units, currency ?? currencyOf(round));
}

/** Beside a message: people read amounts in the currency everywhere else (E4.1). */
const asSent = html`<small>as sent, amounts in 1/100 of the currency</small>`;

/** A call with its headers, bodies, the signed string and the verdict; ready to be copied. */
export function callPage(call: WireCall, currencyOf: CurrencyOf): Html {
  const request = `${call.method} ${call.path}\n${headersOf(call.headers)}\n\n${call.body.text}`;
  const reply =
    call.replyBody === null
      ? 'No reply.'
      : `${call.status ?? ''}\n${headersOf(call.replyHeaders)}\n\n${call.replyBody.text}`;
  const cause =
    call.cause === null
      ? null
      : html`, because of <a href="/call?n=${call.cause}">${call.cause}</a>`;
  const [tone, answer] = answerIn(call);
  const words = replyWords(call, currencyOf);
  const text = html`<bdi>${callWords(call, currencyOf)}${words === '' ? null : `; ${words}`}</bdi>`;
  return html`${verdictOf({ tone: tone === 'plain' ? 'note' : tone, title: answer, text })}
<p class="dim">${lineNames[call.line]}, ${times.time(call.at)}${call.round === null ? null : html`, round ${roundLink(call.round)}`}${cause}</p>
${part('request', 'Request', asSent, html`<pre tabindex="0">${request}</pre>`)}
${part('signature', 'Signature', null, signatureOf(call))}
${part('reply', 'Reply', asSent, html`<pre tabindex="0">${reply}</pre>`)}
${part('curl', 'Copy as curl', null, html`<textarea rows="6" readonly aria-label="The call as curl">${curlOf(call)}</textarea>`)}
${part('test', 'Copy as test', null, html`<textarea rows="12" readonly aria-label="The call as a test">${testOf(call)}</textarea>`)}`;
}

/** What a fault made of the answer; null where the status says it. */
const faultAnswers: Readonly<Record<FaultKind, readonly [Tone, string]>> = {
  loseRequest: ['bad', 'request lost'],
  loseReply: ['bad', 'reply lost'],
  cut: ['bad', 'reply cut'],
  html: ['bad', 'HTML in its place'],
  '503': ['bad', '503 in its place'],
  '429': ['bad', '429 in its place'],
  late: ['warn', 'late'],
  twice: ['warn', 'sent twice'],
  reorder: ['warn', 'out of order'],
};

/** Faults after which the caller does not have the reply, by where the call got to. */
const lossOf: Readonly<Partial<Record<FaultKind, 'request' | 'reply'>>> = {
  loseRequest: 'request',
  '503': 'request',
  '429': 'request',
  loseReply: 'reply',
  cut: 'reply',
  html: 'reply',
};

/** Where a call was lost on purpose; null if it was not. */
export function lossIn({ fault }: WireCall): 'request' | 'reply' | null {
  return fault === null ? null : (lossOf[fault] ?? null);
}

/** The status, or what came in its place. */
export function answerOf(call: WireCall): Html {
  return badge(...answerIn(call), call.fault);
}

function answerIn(call: WireCall): readonly [Tone, string] {
  const { state, status, fault } = call;
  if (state === 'underway') return ['plain', 'pending'];
  if (fault !== null) {
    const [tone, text] = faultAnswers[fault];
    const isNamed = status === null || lossIn(call) !== null;
    return [tone, isNamed ? text : `${status}, ${text}`];
  }
  if (status === null) return ['bad', 'no reply'];
  return [status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good', String(status)];
}

function signatureOf({ signed, verdict, explanation }: WireCall): Html {
  const verdicts = {
    verified: 'The signature is right.',
    refused: 'The signature was refused.',
    unchecked: 'The signature was not checked: the call did not arrive.',
    sent: 'Signed by the sandbox.',
    unsigned: "A browser's call: it is not signed.",
  } as const;
  return html`<p>${verdicts[verdict]}</p>${explanation === null ? null : remark('warn', 'Why it was refused', explanation)}${signed === null ? null : html`<pre tabindex="0">${signed}</pre>`}`;
}

function isWanted(call: WireCall, { line, round, status }: WireFilter): boolean {
  const code = String(call.status ?? 'none');
  return (
    (line === '' || call.line === line) &&
    (round === '' || (call.round ?? '').includes(round)) &&
    (status === '' || code.startsWith(status))
  );
}

function filterForm({ line, round, status }: WireFilter): Html {
  const lines = [['', 'all'] as const, ...Object.entries(lineNames)];
  return html`<form method="get" action="/wire">${select('line', 'line', lines, line)}
${field('round', 'round', html`value="${round}"`)}${field('status begins with', 'status', html`value="${status}" size="4"`)}<button>Filter</button></form>`;
}

function headersOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
