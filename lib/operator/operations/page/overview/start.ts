import {
  ageOf,
  agoOf,
  count,
  counted,
  type Html,
  html,
  type HtmlPart,
  money,
  part,
  type Tile,
  tiles,
  verdict,
} from '../../../../platform/html';
import { spark } from '../../../../platform/html/figure/spark';
import type { RecentCalls } from '../../../minutes/call-watch';
import type { Person } from '../../configuration/person';
import type { AttentionView } from '../../view/waiting/attention';
import type { ConsumersView, MoneyView } from '../../view/health';
import type { CallsView } from '../../view/minutes';
import type { LastDayView } from '../../view/money/last-day';
import type { PendingView } from '../../view/waiting/pending';
import type { Listed } from '../../view/query-store';
import { lastHours, pastBurst } from './figures';
import { consumers } from '../consumers';
import type { PageBody, Reader } from '../layout';
import { linkTo, nextLink } from '../links';
import { lastDayTiles, moneyByHour } from './last-day';
import { noOpenIndex, rowsOf, unlessWhole, waitingTabs } from '../waiting';
import { amountsOf } from '../words';

/** What a person on call must see first. */
export interface StartView {
  readonly money: MoneyView;
  /** Null if the store could not list it. */
  readonly attention: AttentionView | null;
  readonly openRounds: Listed<AttentionView>;
  readonly pending: Listed<PendingView>;
  readonly events: Listed<ConsumersView>;
  /** The money of the last 24 hours; `missing` if nobody counts it. */
  readonly lastDay: Listed<LastDayView>;
  /** The calls by five minutes; null if nothing counts them. */
  readonly minutes: CallsView | null;
}

interface StartContext extends Reader {
  readonly person: Person;
  readonly openHours: number;
}

/** Is money moving, and does anything wait for a person. */
export function startPage(view: StartView, context: StartContext): PageBody {
  const { money: moves, attention, openRounds, pending, events, lastDay, minutes } = view;
  const { openHours } = context;
  const all = [
    waitingTile(attention, minutes),
    stakeTile(attention),
    ...lastDayTiles(lastDay, context.times),
    openTile(openRounds, openHours),
    pendingTile(pending),
  ].filter((tile) => tile !== null);
  // A second row is for what is to be done.
  const shown = all.filter(({ value }, at) => at < tilesInRow || value !== '0');
  return {
    title: 'Overview',
    body: html`${moneyVerdict(moves, minutes, context)}${tiles(shown)}
${part('rounds', 'Rounds that wait for a person', attention === null ? null : waitingTabs(attention, view, 'all'), waiting(attention, context))}
${lastHours(moneyByHour(lastDay, context.times), minutes, context.times)}
${consumers(events, minutes?.lags)}`,
  };
}

const tilesInRow = 4;

function waiting(attention: AttentionView | null, { person, times }: StartContext): HtmlPart {
  if (attention === null) return html`<p>The store did not list them.</p>`;
  const { next } = attention;
  const more = nextLink(
    next === null ? null : linkTo('waiting', { after: next }),
    'More that wait',
  );
  return html`${unlessWhole(attention, times)}${rowsOf(attention, person, 'No round waits for a person.')}${more}`;
}

/** More of the calls than this with an unknown outcome are said in colour. */
const muchUnknown = 0.01;
/** A call is expected within this time, in milliseconds. */
const quietMs = 10 * 60_000;

/** Whether money moves, in one sentence: by the calls of every process that is known. */
function moneyVerdict(
  { store, calls: own, asOf }: MoneyView,
  minutes: CallsView | null,
  reader: Reader,
): Html {
  const calls = minutes?.recent ?? own;
  const said = html`${lately(calls, minutes, asOf, reader)}`;
  if (store !== 'ready') {
    return verdict({
      tone: 'bad',
      title: 'No money moves: the store is not ready',
      text: html`Calls are answered as unknown (D7); the RGS sends them again or voids them. ${said}`,
    });
  }
  if (calls === null)
    return verdict({ tone: 'good', title: 'The store is ready', text: 'Money can move.' });
  const { processed, unknown, shed } = calls;
  const share = (unknown + shed) / Math.max(1, processed + unknown + shed);
  if (processed === 0 && unknown > 0) {
    const why = 'The store is ready, but no outcome was known.';
    return verdict({
      tone: 'bad',
      title: 'No money moves: every call fails',
      text: html`${why} ${said}`,
    });
  }
  if (share >= muchUnknown) {
    const title = `Money is moving, but ${percent(share)} of the calls fail`;
    return verdict({
      tone: 'warn',
      title,
      text: html`The RGS sends them again or voids them. ${said}`,
    });
  }
  const last = Date.parse(calls.lastProcessed ?? calls.watchedSince);
  if (Date.parse(asOf) - last > quietMs) {
    return verdict({
      tone: 'warn',
      title: 'No calls come',
      text: html`The store is ready. ${said}`,
    });
  }
  const title = processed === 0 ? 'The store is ready' : 'Money is moving';
  const burst = minutes === null ? null : pastBurst(minutes, muchUnknown, reader.times);
  return verdict({
    tone: 'good',
    title,
    text: html`${processed === 0 ? 'Money can move.' : 'The store is ready.'} ${said}`,
    end: burst === null ? null : html`<small>${burst}</small>`,
  });
}

/** Rounded up, so that it is at least as bad as it says. */
function percent(share: number): string {
  return `${Math.min(100, Math.ceil(share * 100))} %`;
}

/** The calls of the last minutes, and whose they are. */
function lately(
  calls: RecentCalls | null,
  minutes: CallsView | null,
  asOf: string,
  { times }: Reader,
): HtmlPart {
  if (calls === null) return null;
  const { lastProcessed, watchedSince, processed, unknown, shed } = calls;
  const last =
    lastProcessed === null
      ? html`no call since ${times.time(watchedSince)}`
      : html`last call ${agoOf(lastProcessed, asOf)}`;
  return html`${minutes?.of === 'all processes' ? 'All processes' : 'This process'}: ${last}; in the last five minutes ${counted(processed, 'call')}, ${count(unknown)} with an unknown outcome${shed === 0 ? '' : `, and ${count(shed)} shed`}.`;
}

/** How many rounds wait, and since when; which repairs wait for approval. */
function waitingTile(attention: AttentionView | null, minutes: CallsView | null): Tile {
  const name = html`<a href="waiting">Rounds that wait</a>`;
  if (attention === null) {
    return { name, value: 'not known', below: 'The store did not answer.', isAlarm: true };
  }
  const { proposals } = attention;
  const { below, ...counts } = countOf(attention, 'No round waits.');
  const tile = { name, ...counts, picture: waitingLine(minutes) };
  if (proposals === 0) return { ...tile, below };
  const text = `${counted(proposals, 'repair')} ${proposals === 1 ? 'waits' : 'wait'} for approval`;
  return { ...tile, below: html`${below} · <a href="repairs">${text}</a>` };
}

/** How many waited in the last hours; nothing where none did, or before it is a line. */
function waitingLine(minutes: CallsView | null): Html | null {
  const values = (minutes?.columns ?? []).map(({ waiting: known }) =>
    known === null ? null : known.underHour + known.underDay + known.over,
  );
  const known = values.filter((one) => one !== null);
  const most = Math.max(0, ...known);
  if (most === 0 || known.length < 2) return null;
  return spark(values, `In the last three hours at most ${count(most)} waited.`, 'b');
}

type Count = Pick<AttentionView, 'total' | 'isWhole' | 'oldest' | 'asOf'>;

function countOf(
  { total, isWhole, oldest, asOf }: Count,
  unless: string,
): Pick<Tile, 'value' | 'below' | 'isAlarm'> {
  if (total === 0 && !isWhole) {
    return { value: 'not known', below: 'The store took too long to list them.' };
  }
  const below =
    total === 0 ? unless : oldest === null ? null : `the oldest for ${ageOf(oldest, asOf)}`;
  return { value: `${isWhole ? '' : 'more than '}${count(total)}`, below, isAlarm: total > 0 };
}

/** The money in them, the largest sum of a currency first. */
function stakeTile(attention: AttentionView | null): Tile | null {
  if (attention === null || attention.total === 0) return null;
  const sums = Object.entries(attention.atStake).filter(([, sum]) => /[1-9]/.test(sum));
  const [first, ...others] = sums.toSorted(([, one], [, other]) => Number(other) - Number(one));
  const name = attention.isWhole ? 'At stake in them' : 'At stake in them, at least';
  const value = first === undefined ? '0' : money(first[1], first[0]);
  return { name, value, below: amountsOf(others) };
}

/** Rounds without an end. */
function openTile(open: Listed<AttentionView>, openHours: number): Tile {
  const name = html`<a href="open">Rounds without an end</a>`;
  if (open === 'missing') return { name, value: 'not listed', below: noOpenIndex };
  if (open === 'unavailable')
    return { name, value: 'not known', below: 'The store did not answer.' };
  const unless = `No round is open for more than ${counted(openHours, 'hour')}.`;
  const { below, ...counts } = countOf(open, unless);
  const since =
    open.total === 0 ? below : html`open for more than ${counted(openHours, 'hour')}; ${below}`;
  return { name, ...counts, below: since };
}

/** Rounds with postings that the ledger has not answered; null for a store that keeps the money itself. */
function pendingTile(pending: Listed<PendingView>): Tile | null {
  if (pending === 'missing') return null;
  const name = html`<a href="pending">Pending at the ledger</a>`;
  if (pending === 'unavailable')
    return { name, value: 'not known', below: 'The store did not answer.' };
  return { name, ...countOf(pending, 'The ledger has answered everything.') };
}
