import { type Html, html, section, table, type TableRow } from '../../../platform/html';
import type { Person } from '../configuration/person';
import type { AttentionRow, AttentionView } from '../view/attention';
import type { ConsumersView, MoneyView } from '../view/health';
import type { Listed } from '../view/query-store';
import type { PendingView } from '../view/pending';
import {
  ageOf,
  id,
  linkTo,
  nextLink,
  type PageBody,
  playerLink,
  roundLink,
  timeOf,
  counted,
  nameOfState,
  agoOf,
} from './layout';
import type { RecentCalls } from '../../minutes/call-watch';

/** What a person on call must see first. */
export interface StartView {
  readonly money: MoneyView;
  /** Null if the store could not list it. */
  readonly attention: AttentionView | null;
  readonly openRounds: Listed<AttentionView>;
  readonly pending: Listed<PendingView>;
  readonly events: Listed<ConsumersView>;
}

/** Is money moving, what waits for a person, and since when. */
export function startPage(
  view: StartView,
  { person, openHours }: { readonly person: Person; readonly openHours: number },
): PageBody {
  const { money, attention, openRounds, pending, events } = view;
  const notes = [openNote(openRounds, openHours), pendingNote(pending), eventsNote(events)];
  const shown = notes.filter((note) => note !== null);
  return {
    title: 'Attention',
    body: html`<ul class="cards">${moneyCard(money)}${waitingCard(attention)}${repairsCard(attention, person)}${pendingCard(pending)}${openCard(openRounds, openHours)}${consumersCard(events)}</ul>
${shown.length === 0 ? null : html`<p class="dim">${shown.join(' ')}</p>`}
${section('rounds', 'Rounds that wait for a person, the oldest first', attention === null ? html`<p>The store did not list them.</p>` : list(attention))}`,
  };
}

/** A page of the rounds without an end. */
export function openRoundsPage(open: AttentionView | null, openHours: number): PageBody {
  const title = 'Open rounds';
  if (open === null) return { title, body: html`<p>${openNote('missing', openHours)}</p>` };
  return {
    title,
    body: html`<p>Rounds that are open for more than ${counted(openHours, 'hour')}: no end came. Ask the RGS; some games keep a round open until the player comes back.</p>
${unlessWhole(open.isWhole)}${rounds(open, { path: 'open', label: 'Open rounds, the oldest first', unless: 'No round is open for so long.' })}`,
  };
}

function list(attention: AttentionView): Html {
  return html`${unlessWhole(attention.isWhole)}${rounds(attention, {
    path: './',
    label: 'Rounds that wait for a person, the oldest first',
    unless: 'No round waits for a person.',
  })}`;
}

function unlessWhole(isWhole: boolean): Html | null {
  return isWhole
    ? null
    : html`<p class="notice bad">The store took too long to list all: there are more.</p>`;
}

function rounds(
  { rows, asOf, next, total }: AttentionView,
  {
    path,
    label,
    unless,
  }: { readonly path: string; readonly label: string; readonly unless: string },
): Html {
  return html`${table(
    label,
    ['since, UTC', 'age', 'state', '#at stake', 'currency', 'player', 'round', 'game', 'proposal'],
    rows.map((row) => rowOf(row, asOf)),
    total === 0 ? unless : 'Nothing further waits.',
  )}${nextLink(next === null ? null : linkTo(path, { after: next }), 'Next page')}`;
}

function rowOf(row: AttentionRow, asOf: string): TableRow {
  const { since, state, gameCode, atStake, currency } = row;
  return [
    since === null ? 'unknown' : timeOf(since),
    since === null ? '' : ageOf(since, asOf),
    nameOfState(state),
    atStake ?? 'unknown',
    currency ?? '',
    playerLink(row),
    roundLink(row),
    gameCode === null ? '' : id(gameCode),
    row.proposal?.kind ?? '',
  ];
}

/** A longer lag of a consumer needs attention, in milliseconds. */
const lateMs = 10 * 60_000;

/** Whether money moves. */
function moneyCard({ store, calls, asOf }: MoneyView): Html {
  if (store !== 'ready') {
    return html`<li class="bad"><strong>No money moves: the store is not ready</strong>Calls are answered as unknown (D7); the RGS sends them again or voids them.${lately(calls, asOf)}</li>`;
  }
  if (calls !== null && calls.processed === 0 && calls.unknown > 0) {
    return html`<li class="bad"><strong>No money moves: every call fails</strong>The store is ready, but no outcome was known.${lately(calls, asOf)}</li>`;
  }
  return calls === null || calls.processed === 0
    ? html`<li class="good"><strong>The store is ready</strong>Money can move.${lately(calls, asOf)}</li>`
    : html`<li class="good"><strong>Money is moving</strong>The store is ready.${lately(calls, asOf)}</li>`;
}

/** The calls of this process. */
function lately(calls: RecentCalls | null, asOf: string): Html | null {
  if (calls === null) return null;
  const { lastProcessed, watchedSince, processed, unknown } = calls;
  const last =
    lastProcessed === null
      ? html`no call since ${timeOf(watchedSince)} UTC`
      : html`last call ${agoOf(lastProcessed, asOf)}`;
  return html`<br>This process: ${last}; in five minutes ${processed} calls, and ${unknown} with an unknown outcome.`;
}

/** How many rounds wait, and since when. */
function waitingCard(attention: AttentionView | null): Html {
  if (attention === null) {
    return html`<li class="bad"><strong>Not known what waits</strong>The store did not answer.</li>`;
  }
  const { total, states, oldest, asOf, isWhole } = attention;
  if (total === 0)
    return html`<li class="good"><strong>No round waits</strong>As of ${timeOf(asOf)} UTC.</li>`;
  const since = oldest === null ? null : html` The oldest for ${ageOf(oldest, asOf)}.`;
  const counts = Object.entries(states).map(([state, count]) => `${count} ${state}`);
  const money = moneyOf(attention);
  return html`<li class="bad"><strong>${isWhole ? '' : 'More than '}${total} ${total === 1 ? 'round waits' : 'rounds wait'}</strong>${counts.join(', ')}.${since}${money}<br>As of ${timeOf(asOf)} UTC.</li>`;
}

/** What waits for this person, above all. */
function repairsCard(attention: AttentionView | null, { may }: Person): Html | null {
  const proposals = attention?.proposals ?? 0;
  if (proposals === 0) return null;
  const text = may.includes('approve')
    ? 'You may approve those that others proposed.'
    : 'Another person must approve them.';
  return html`<li class="bad"><strong>${proposals} ${proposals === 1 ? 'repair waits' : 'repairs wait'} for approval</strong><a href="repairs">Repairs</a>. ${text}</li>`;
}

/** Rounds with postings that the ledger has not answered; null without any. */
function pendingCard(pending: Listed<PendingView>): Html | null {
  if (typeof pending === 'string' || pending.total === 0) return null;
  const { total, isWhole, oldest, asOf } = pending;
  const since = oldest === null ? null : html` The oldest shown for ${ageOf(oldest, asOf)}.`;
  return html`<li class="bad"><strong>${isWhole ? '' : 'More than '}${total} ${total === 1 ? 'round is' : 'rounds are'} pending at the ledger</strong><a href="pending">Pending</a>.${since} The sweeper finishes them as soon as the ledger answers.</li>`;
}

/** Rounds without an end; null without any. */
function openCard(open: Listed<AttentionView>, openHours: number): Html | null {
  if (typeof open === 'string' || open.total === 0) return null;
  const { total, isWhole, oldest, asOf } = open;
  const since = oldest === null ? null : html` The oldest for ${ageOf(oldest, asOf)}.`;
  return html`<li class="bad"><strong>${isWhole ? '' : 'More than '}${total} ${total === 1 ? 'round has' : 'rounds have'} no end</strong><a href="open">Open rounds</a> of more than ${counted(openHours, 'hour')}.${since}${moneyOf(open)}</li>`;
}

/** Consumers that lag; null without any. */
function consumersCard(events: Listed<ConsumersView>): Html | null {
  const late = lateOf(events);
  if (typeof events === 'string' || late.length === 0) return null;
  const [first] = late;
  const names = late.map(
    ({ consumer, waiting, oldest }) =>
      html`<br>${id(consumer)}: ${counted(waiting, 'event')}${oldest === null ? null : html`, the oldest ${agoOf(oldest, events.asOf)}`}`,
  );
  return html`<li class="bad"><strong>${late.length === 1 && first !== undefined ? html`${id(first.consumer)} is behind` : `${late.length} consumers are behind`}</strong>Consumers of the events that have not acknowledged them:${names}</li>`;
}

/** The note about open rounds if there is no card; otherwise null. */
function openNote(open: Listed<AttentionView>, openHours: number): string | null {
  if (open === 'missing')
    return 'This store has no index of open rounds: those without an end are not listed. In Redis set history: true (serve --history).';
  if (open === 'unavailable')
    return 'Whether rounds have no end is not known: the store did not answer.';
  return open.total === 0 ? `No round is open for more than ${counted(openHours, 'hour')}.` : null;
}

/** The note about the ledger if there is no card. */
function pendingNote(pending: Listed<PendingView>): string | null {
  if (pending === 'missing') return null;
  if (pending === 'unavailable')
    return 'What is pending at the ledger is not known: the store did not answer.';
  return pending.total === 0 ? 'Nothing is pending at the ledger.' : null;
}

/** The note about the consumers if there is no card. */
function eventsNote(events: Listed<ConsumersView>): string | null {
  if (events === 'missing') return null;
  if (events === 'unavailable')
    return 'How far consumers of the events are behind is not known: the store did not answer.';
  const { consumers } = events;
  if (consumers.length === 0) return 'Nobody is declared to consume events.';
  if (lateOf(events).length > 0) return null;
  const waiting = consumers.reduce((sum, one) => sum + one.waiting, 0);
  return `Consumers of the events: ${consumers.length}, none behind for ten minutes; events that wait: ${waiting}.`;
}

function lateOf(events: Listed<ConsumersView>): ConsumersView['consumers'] {
  if (typeof events === 'string') return [];
  const limit = Date.parse(events.asOf) - lateMs;
  return events.consumers.filter(({ oldest }) => oldest !== null && Date.parse(oldest) < limit);
}

function moneyOf({ atStake }: AttentionView): Html | null {
  const sums = Object.entries(atStake).map(([currency, sum]) => `${sum} ${currency}`);
  return sums.length === 0 ? null : html`<br>At stake: ${sums.join(', ')}.`;
}
