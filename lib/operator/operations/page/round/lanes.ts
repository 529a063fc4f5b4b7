import {
  amountText,
  badge,
  count,
  counted,
  type Html,
  html,
  type HtmlPart,
  id,
  money,
  type Tone,
} from '../../../../platform/html';
import type { PurseJson, RoundJson } from '../../../wallet';
import type { Reader } from '../layout';
import { linkTo } from '../links';
import { shortReasonOf, shortNameOf, said } from '../words';
import { type BalanceStep, balanceSteps, stepFigure } from './balance-steps';
import { lacksBalances, type TimelineEntry, type TimelineLine, timelineOf } from './timeline';

/** Which blocks of a round are shown: of a long one the first and the last, or those from this one on; on paper all. */
export type CallsShown = 'ends' | 'all' | number;

/** Lines of a long round that are shown: those of the first blocks and of the last ones, or a part of as many. A page has a size. */
const [firstShown, lastShown] = [20, 40];
const partSize = firstShown + lastShown;

/** Most links from one place to parts that are not shown. */
const mostLinks = 5;

/** A shorter pause between two calls is not shown, in milliseconds. */
const pauseMs = 60_000;

/** What happened to a round, the oldest first: who asked, what the wallet did, and the balance after it. A block is a call. */
export function lanes(round: RoundJson, reader: Reader, calls: CallsShown): Html {
  const all = timelineOf(round);
  if (all.length === 0) return html`<div class="card empty">No transaction is recorded.</div>`;
  const entries = calls === 'all' ? all : blocksOf(all);
  const unit = entries.length === all.length ? 'call' : 'block';
  const lacks = lacksBalances(round, entries);
  // Of the whole round, so that a balance has one place in each of its parts.
  const steps = balanceSteps(
    entries.flatMap(({ lines }) => lines),
    round.currency,
  );
  const context = { round, reader, lacks, steps, undone: undoneOf(round) };
  const spans = spansOf(entries, calls);
  const bodies = spans.map(({ from, to }, at) => [
    hiddenRow(round, entries, unit, { from: spans[at - 1]?.to ?? 0, to: from }),
    entries.slice(from, to).map((entry, place) => {
      const rows = entry.lines.map((line, of) =>
        rowOf(entry, line, { ...context, isFirst: of === 0 }),
      );
      return html`${gapRow(entries[from + place - 1], entry, reader)}<tbody>${rows}</tbody>`;
    }),
  ]);
  const end = { from: spans.at(-1)?.to ?? 0, to: entries.length };
  const last = lacks ? 'moved' : 'balance after';
  return html`<div class="tbl"><table class="lanes"><thead><tr><th scope="col" class="t">time, ${cityOf(reader)}</th><th scope="col" class="r">RGS or person</th><th class="a"><span class="skip">to</span></th><th scope="col" class="k">wallet</th><th scope="col">${last}${round.currency === null ? null : `, ${round.currency}`}</th></tr></thead>${bodies.flat(2)}${hiddenRow(round, entries, unit, end)}</table></div>${lacks ? noBalances : null}`;
}

/** The calls as they are shown: in a long round, one of many lines is several blocks. */
function blocksOf(all: readonly TimelineEntry[]): readonly TimelineEntry[] {
  if (countIn(all, partSize) === all.length) return all;
  return all.flatMap((entry) => {
    const blocks: TimelineLine[][] = [];
    let room = 0;
    for (const line of entry.lines) {
      room -= linesOf(line);
      if (room < 0) {
        blocks.push([]);
        room = firstShown - linesOf(line);
      }
      blocks.at(-1)?.push(line);
    }
    return blocks.map((lines) => ({ ...entry, lines }));
  });
}

/** Blocks of a round, from one place to before another. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What is shown of these blocks. */
function spansOf(entries: readonly TimelineEntry[], calls: CallsShown): readonly Span[] {
  const total = entries.length;
  if (calls === 'all' || countIn(entries, partSize) === total) return [{ from: 0, to: total }];
  if (calls === 'ends') {
    const to = countIn(entries, firstShown);
    const last = countIn(entries.slice(to).toReversed(), lastShown);
    return [
      { from: 0, to },
      { from: total - last, to: total },
    ];
  }
  const from = Math.min(calls, total) - 1;
  return [{ from, to: from + countIn(entries.slice(from), partSize) }];
}

/** How many of the first of these have so many lines at most together. */
function countIn(entries: readonly TimelineEntry[], most: number): number {
  let lines = 0;
  const beyond = entries.findIndex((entry) => {
    for (const line of entry.lines) lines += linesOf(line);
    return lines > most;
  });
  return beyond === -1 ? entries.length : beyond;
}

/** A hash of more bytes than this, as a page writes it, has the place of two lines. */
const longHashBytes = 100;

function linesOf({ hash }: TimelineLine): 1 | 2 {
  const written = (hash ?? '').replaceAll(/[&<>"']/g, '&quot;');
  return Buffer.byteLength(written) > longHashBytes ? 2 : 1;
}

/** The zone in a word: there is little place. */
function cityOf({ times }: Reader): string {
  return (times.zone.split('/').at(-1) ?? times.zone).replaceAll('_', ' ');
}

const noBalances = html`<p class="dim">Balances after each line are not kept: the store was made without its option <code>history</code> (<code>serve --history</code>), or the round is from before. The last column shows what moved.</p>`;

/** How many blocks are not shown here, with links to parts of them; nothing where none are left out. */
function hiddenRow(
  { operatorId, playerId, gameRound }: RoundJson,
  entries: readonly TimelineEntry[],
  unit: 'call' | 'block',
  { from, to }: Span,
): Html | null {
  if (from === to) return null;
  const href = (more: Readonly<Record<string, string>>) =>
    `${linkTo('round', { operator: operatorId, player: playerId, round: gameRound, ...more })}#lanes`;
  const before = countIn(entries.slice(0, to).toReversed(), partSize);
  const links: Html[] = [];
  for (let start = from === 0 ? to - before : from; start < to && links.length < mostLinks; ) {
    const end = start + countIn(entries.slice(start), partSize);
    const text = `${count(start + 1)} to ${count(end)}`;
    links.push(html` <a href="${href({ from: String(start + 1) })}">${text}</a>`);
    start = end;
  }
  const ends = from === 0 ? html` <a href="${href({})}">the first and the last</a>` : null;
  return gapOf(html`${counted(to - from, `more ${unit}`)}:${links}${ends}`);
}

/** A pause between two calls, if it is one; or that a block is of the same call as the one before. */
function gapRow(
  before: TimelineEntry | undefined,
  { at, by }: TimelineEntry,
  { times }: Reader,
): Html | null {
  if (before === undefined) return null;
  // Lines of the RGS at one time are of one call.
  if (before.at === at && before.by === null && by === null) return gapOf('the same call');
  const ms = Date.parse(at) - Date.parse(before.at);
  if (ms < pauseMs) return null;
  const day = times.date(at);
  const date = day === times.date(before.at) ? null : `, ${day}`;
  return gapOf(html`${pauseOf(ms)} later${date}`);
}

function gapOf(text: HtmlPart): Html {
  return html`<tbody class="gap"><tr><td colspan="5">${text}</td></tr></tbody>`;
}

function pauseOf(ms: number): string {
  const [seconds, minutes] = [Math.floor(ms / 1000), Math.floor(ms / 60_000)];
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1440)];
  if (days > 0) return `${days} d ${hours % 24} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min ${seconds % 60} s`;
}

interface RowContext {
  readonly round: RoundJson;
  readonly reader: Reader;
  /** Whether no line has a balance. */
  readonly lacks: boolean;
  readonly steps: ReadonlyMap<TimelineLine, BalanceStep>;
  /** Lines that a void has undone. */
  readonly undone: ReadonlySet<string>;
  /** Whether it is the first line of its call. */
  readonly isFirst: boolean;
}

function rowOf({ at, by }: TimelineEntry, line: TimelineLine, context: RowContext): Html {
  const { reader, isFirst, undone } = context;
  const isUndone = line.hash !== null && undone.has(`${line.what} ${line.hash}`);
  const who =
    by === null ? rgsLine(line, isUndone) : html`<b>${shortNameOf(by)}</b>${hashOf(line)}`;
  const tone = toneOf(line, by !== null);
  return html`<tr><td class="t">${isFirst ? reader.times.clock(at) : null}</td><td class="r lane">${who}</td><td class="a">${arrow(tone)}</td><td class="k lane">${walletOf(line, tone)}</td><td class="bal">${lastLane(line, context)}</td></tr>`;
}

/** What each transaction is called on the pages; its name in the protocol is where it is pointed at. */
const whats: Readonly<Partial<Record<TimelineLine['what'], string>>> = {
  debit: 'bet',
  credit: 'win',
};

function rgsLine(line: TimelineLine, isUndone: boolean): Html {
  const { what, amount, currency } = line;
  const moved = amount === null ? null : html` ${money(amount, currency ?? '')}`;
  const text = html`<b title="${what}">${whats[what] ?? what}</b>${moved}`;
  return html`${isUndone ? html`<s>${text}</s>` : text}${hashOf(line)}`;
}

function hashOf({ hash }: TimelineLine): Html | null {
  return hash === null ? null : html`<br><small class="mono">${id(hash)}</small>`;
}

/** Debits that were voided, and with the first one every credit (D5.2). One that a later void took back shows as declined (D5.3). */
function undoneOf({ transactions, state }: RoundJson): Set<string> {
  const voided = new Set(
    transactions.filter(({ type }) => type === 'void').map(({ hash }) => hash),
  );
  const undone = transactions.filter(({ type, outcome, hash }) =>
    type === 'debit'
      ? voided.has(hash)
      : type === 'credit' && outcome === 'accepted' && state === 'voided',
  );
  return new Set(undone.map(({ type, hash }) => `${type} ${hash}`));
}

function toneOf({ outcome, what }: TimelineLine, isPerson: boolean): Tone {
  if (what === 'repair refused') return 'bad';
  if (isPerson) return 'note';
  if (outcome === 'accepted') return 'good';
  if (outcome === 'unanswered') return 'warn';
  return outcome === 'pending' ? 'plain' : 'bad';
}

/** Dashed and red where it was refused, violet by a person. */
function arrow(tone: Tone): Html {
  const kind = tone === 'bad' ? 'b' : tone === 'note' ? 's4' : 'g';
  return html`<svg class="arrow ${kind}" width="100%" height="16" aria-hidden="true" focusable="false"><line x1="0" x2="100%" y1="8" y2="8"/><svg x="100%" y="0" width="1" height="16" overflow="visible"><path d="M-9,3L0,8L-9,13Z"/></svg></svg>`;
}

/** What the wallet did, in a word, and why. */
function walletOf(line: TimelineLine, tone: Tone): Html {
  const { what, outcome, kind, note, discount, serial } = line;
  if (what.startsWith('repair')) {
    const text = `${what.slice('repair '.length)}: ${kind ?? ''}`;
    const isUndone = what === 'repair made' && outcome === 'takenBack';
    const later = isUndone ? html`<br><small>taken back by a void</small>` : null;
    return html`${badge(tone, isUndone ? html`<s>${text}</s>` : text, outcome)}${later}${note === null ? null : html`<br><small>${said(note)}</small>`}`;
  }
  const more: readonly HtmlPart[] = [
    kind === null ? null : kind === 'first' ? 'first bet' : `repair: ${kind}`,
    outcome === 'accepted' ? null : reasonText(line),
    discount === null ? null : `discount ${discount}`,
    serial === null ? null : html`serial ${id(serial)}`,
    note === null ? null : said(note),
  ].filter((one) => one !== null);
  const small = more.map((one) => html`<br><small>${one}</small>`);
  return html`${badge(tone, outcomeWord(outcome), outcome)}${small}`;
}

function outcomeWord(outcome: string): string {
  if (outcome === 'accepted' || outcome === 'pending') return outcome;
  return outcome === 'unanswered' ? 'unknown' : 'refused';
}

function reasonText({ outcome, currency }: TimelineLine): string {
  if (outcome === 'unanswered') return 'answered 5xx: the RGS owes a void';
  if (outcome === 'pending') return 'the ledger has not answered';
  return shortReasonOf(outcome, currency);
}

/** The balance after a line as a step, or what moved where no balances are kept. */
function lastLane(line: TimelineLine, { round, lacks, steps }: RowContext): Html | null {
  if (lacks)
    return line.moved === null
      ? null
      : html`<span>${moveOf(line.moved, line.currency ?? round.currency)}</span>`;
  const { balance, moved } = line;
  const step = steps.get(line);
  const figure = step === undefined ? null : stepFigure(step);
  if (balance === null) return figure;
  const { currency, real, bonus } = balance;
  const foreign = currency === round.currency ? null : html` ${currency}`;
  const extra =
    bonus === null || bonus === '0'
      ? null
      : html`<small>bonus ${amountText(bonus, currency)}</small>`;
  const text = html`${amountText(real, currency)}${foreign}${extra}`;
  const change = moved === null ? null : html`<small>${moveOf(moved, currency)}</small>`;
  return html`${figure}<span>${text}${change}</span>`;
}

/** Real, and bonus if it moved; nothing if nothing moved. */
function moveOf({ real, bonus }: PurseJson, currency: string | null): HtmlPart {
  const name = currency ?? '';
  if (bonus === '0') return real === '0' ? null : amountText(real, name, 'always');
  return `${amountText(real, name, 'always')}, bonus ${amountText(bonus, name, 'always')}`;
}
