import { ageOf, counted, type Html, html } from '../../../platform/html';
import type { LineName } from '../view/state';
import type { WireCall } from '../view/wire';
import { answerOf, callWords, type CurrencyOf, lineNames, lossIn, replyWords } from './calls';
import { times } from './frame';

/** The lanes of a line of the wire, from caller to called; the casino shares the lane of its wallet. */
const ends = {
  'provider-rgs': [0, 1],
  'rgs-wallet': [1, 2],
  'rgs-provider': [1, 0],
  'operator-rgs': [2, 1],
} as const satisfies Record<LineName, readonly [number, number]>;

/** Calls that are drawn: so many of the first, and of the last. */
const [firstDrawn, lastDrawn] = [10, 30] as const;

/** A silence that is worth a line. */
const longGapMs = 60_000;

/** What is drawn of the calls, as three lanes. */
interface Lanes {
  readonly calls: readonly WireCall[];
  readonly currencyOf: CurrencyOf;
  /** Where all calls are shown; null to draw them all. */
  readonly all: string | null;
}

/** What happened between game, remote game server and wallet; what each call moves is on its arrow. */
export function lanes({ calls, currencyOf, all }: Lanes): Html {
  const left = all === null ? 0 : calls.length - firstDrawn - lastDrawn;
  const isCut = left > 0;
  const cut = between(html`${counted(left, 'call')}. <a href="${all}">Draw all</a>`);
  const blocks = isCut
    ? [
        blocksOf(calls.slice(0, firstDrawn), currencyOf),
        cut,
        blocksOf(calls.slice(-lastDrawn), currencyOf),
      ]
    : blocksOf(calls, currencyOf);
  const blank = html`<td class="m"></td>`;
  return html`<div class="tbl"><div class="scroll" tabindex="0" role="group" aria-label="Between game, RGS and wallet"><table class="lanes talk"><thead><tr><th scope="col" class="t">time, UTC</th><th scope="col" class="lane">game</th>${blank}<th scope="col" class="lane">RGS</th>${blank}<th scope="col" class="lane">wallet</th></tr></thead>${blocks}</table></div></div>`;
}

/** A block for each call that no other one of them made. */
function blocksOf(calls: readonly WireCall[], currencyOf: CurrencyOf): Html {
  const known = new Set(calls.map(({ n }) => n));
  const tops = calls.filter(({ cause }) => cause === null || !known.has(cause));
  const drawn: Drawn = { madeBy: byCause(calls), currencyOf };
  const blocks = tops.map((call, at) => {
    const before = tops[at - 1];
    const gap = before === undefined ? null : gapBetween(before.at, call.at);
    return html`${gap}<tbody>${messagesOf(call, drawn)}</tbody>`;
  });
  return html`${blocks}`;
}

function gapBetween(before: string, at: string): Html | null {
  if (Date.parse(at) - Date.parse(before) < longGapMs) return null;
  return between(`${ageOf(before, at)} later`);
}

function between(text: Html | string): Html {
  return html`<tbody class="gap"><tr><td colspan="6">${text}</td></tr></tbody>`;
}

interface Drawn extends Pick<Lanes, 'currencyOf'> {
  /** The calls that a call made, by its number. */
  readonly madeBy: ReadonlyMap<number, readonly WireCall[]>;
}

function byCause(calls: readonly WireCall[]): Drawn['madeBy'] {
  const made = new Map<number, WireCall[]>();
  for (const call of calls) {
    if (call.cause === null) continue;
    const siblings = made.get(call.cause);
    if (siblings === undefined) made.set(call.cause, [call]);
    else siblings.push(call);
  }
  return made;
}

/** The request, what it made the server call, and the reply. */
function messagesOf(call: WireCall, drawn: Drawn): Html {
  const { madeBy, currencyOf } = drawn;
  const [from, to] = ends[call.line];
  const { status, state, ms } = call;
  const loss = lossIn(call);
  const request: Message = {
    when: times.clock(call.at),
    from,
    to,
    way: lineNames[call.line],
    text: html`<a href="/call?n=${call.n}">${call.n}</a> <bdi>${callWords(call, currencyOf)}</bdi>`,
    isBroken: loss === 'request',
  };
  const made = madeBy.get(call.n) ?? [];
  const words = replyWords(call, currencyOf);
  const reply: Message = {
    when: ms === null ? null : html`<small>${Math.round(ms)} ms</small>`,
    from: to,
    to: from,
    way: wayBack(call),
    text: html`${answerOf(call)} <bdi>${words}</bdi>`,
    isBroken: loss !== null || state === 'lost' || (status ?? 0) >= 400,
  };
  return html`${row(request)}${made.map((one) => messagesOf(one, drawn))}${row(reply)}`;
}

function wayBack({ line }: WireCall): string {
  return lineNames[line].split(' → ').toReversed().join(' → ');
}

/** An arrow between two lanes. */
interface Message {
  readonly when: Html | null;
  readonly from: number;
  readonly to: number;
  readonly way: string;
  readonly text: Html;
  readonly isBroken: boolean;
}

function row({ when, from, to, way, text, isBroken }: Message): Html {
  const drawn = html`<td class="m"><span><span class="way">${way}</span>${text}</span>${arrow(way, from < to, isBroken)}</td>`;
  const lane = html`<td class="lane"></td>`;
  const blank = html`<td class="m"></td>`;
  const isLeft = Math.min(from, to) === 0;
  return html`<tr><td class="t">${when}</td>${lane}${isLeft ? drawn : blank}${lane}${isLeft ? blank : drawn}${lane}</tr>`;
}

function arrow(way: string, isRight: boolean, isBroken: boolean): Html {
  const tip = isRight
    ? html`<svg x="100%" y="0" width="1" height="10" overflow="visible"><path d="M-8,1L0,5L-8,9Z"/></svg>`
    : html`<path d="M8,1L0,5L8,9Z"/>`;
  return html`<svg class="arrow${isBroken ? ' b' : ''}" width="100%" height="10" role="img" aria-label="${way}"><line x1="0" x2="100%" y1="5" y2="5"/>${tip}</svg>`;
}
