import { field, type Html, html, section, select, table } from '../../../platform/html';
import type { WireCall, WireView } from '../view/wire';
import { curlOf, testOf } from './copy';
import { roundLink, shortened, timeOf } from './layout';

/** What the list of calls is filtered by; '' filters nothing. */
export interface WireFilter {
  readonly line: string;
  readonly round: string;
  readonly status: string;
}

/** The lines as the page names them. */
export const lineNames = {
  'provider-rgs': 'game → rgs',
  'rgs-wallet': 'rgs → wallet',
  'rgs-provider': 'rgs → game',
  'operator-rgs': 'casino → rgs',
} as const satisfies Record<WireCall['line'], string>;

/** Every call on the four lines, latest first. */
export function wirePage(view: WireView, filter: WireFilter): Html {
  const calls = view.calls.filter((call) => isWanted(call, filter)).toReversed();
  const rows = calls.map((call) => [
    html`<a href="/call?n=${call.n}">${call.n}</a>`,
    timeOf(call.at),
    lineNames[call.line],
    call.call,
    call.round === null ? null : roundLink(call.round),
    statusOf(call),
    call.ms === null ? null : `${Math.round(call.ms)} ms`,
    call.fault === null ? null : html`<span class="warn">${call.fault}</span>`,
    call.cause === null ? null : html`<a href="/call?n=${call.cause}">${call.cause}</a>`,
  ]);
  return html`${filterForm(filter)}${section(
    'calls',
    'Calls',
    table(
      'Calls',
      ['#n', 'time', 'line', 'call', 'round', 'status', '#took', 'fault', 'because of'],
      rows,
      'No call matches.',
    ),
  )}`;
}

/** A call with its headers, bodies, the signed string and the verdict; ready to be copied. */
export function callPage(call: WireCall): Html {
  const request = `${call.method} ${call.path}\n${headersOf(call.headers)}\n\n${call.body.text}`;
  const reply =
    call.replyBody === null
      ? 'No reply.'
      : `${call.status ?? ''}\n${headersOf(call.replyHeaders)}\n\n${call.replyBody.text}`;
  return html`<p>${lineNames[call.line]}, ${call.at}${call.round === null ? null : html`, round ${roundLink(call.round)}`}${call.fault === null ? null : html`, fault <span class="warn">${call.fault}</span>`}</p>
${section('request', 'Request', html`<pre tabindex="0">${request}</pre>`)}
${section('signature', 'Signature', signatureOf(call))}
${section('reply', 'Reply', html`<pre tabindex="0">${reply}</pre>`)}
${section('curl', 'Copy as curl', html`<textarea rows="6" readonly aria-label="The call as curl">${curlOf(call)}</textarea>`)}
${section('test', 'Copy as test', html`<textarea rows="12" readonly aria-label="The call as a test">${testOf(call)}</textarea>`)}`;
}

/** The status, or what came in its place. */
export function statusOf(call: WireCall): Html {
  if (call.state === 'underway') return html`<span class="dim">pending</span>`;
  if (call.status === null) return html`<span class="bad">no reply</span>`;
  const kind = call.status >= 500 ? 'bad' : call.status >= 400 ? 'warn' : 'good';
  return html`<span class="${kind}">${call.status}</span>`;
}

function signatureOf({ signed, verdict, explanation }: WireCall): Html {
  const verdicts = {
    verified: 'The signature is right.',
    refused: 'The signature was refused.',
    unchecked: 'The signature was not checked: the call did not arrive.',
    sent: 'Signed by the sandbox.',
    unsigned: "A browser's call: it is not signed.",
  } as const;
  return html`<p>${verdicts[verdict]}</p>${signed === null ? null : html`<pre tabindex="0">${signed}</pre>`}${explanation === null ? null : html`<p class="notice warn">${explanation}</p>`}`;
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

/** A call in one line, for a list of steps. */
export function summaryOf(call: WireCall): string {
  return `${call.call}${call.round === null ? '' : ` ${shortened(call.round)}`}`;
}
