import { type Html, html } from '../../../platform/html';
import type { Person } from '../configuration';
import type {
  AttentionRow,
  AttentionView,
  ConsumersView,
  Listed,
  MoneyView,
  PendingView,
} from '../view';
import {
  consumersCard,
  eventsNote,
  moneyCard,
  openCard,
  openNote,
  pendingCard,
  pendingNote,
  repairsCard,
  waitingCard,
} from './cards';
import {
  ageOf,
  id,
  linkTo,
  type PageBody,
  playerLink,
  roundLink,
  section,
  table,
  timeOf,
  counted,
} from './layout';
import { nameOfState } from './states';

/** What a person on call must see first. */
export interface StartView {
  readonly money: MoneyView;
  /** Null if the store could not list it. */
  readonly attention: AttentionView | null;
  readonly openRounds: Listed<AttentionView>;
  readonly pending: Listed<PendingView>;
  readonly events: Listed<ConsumersView>;
}

/** Who asks, and the options of the page. */
export interface StartSettings {
  readonly person: Person;
  readonly openHours: number;
}

/** Is money moving, what waits for a person, and since when. */
export function startPage(view: StartView, { person, openHours }: StartSettings): PageBody {
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

interface ListTexts {
  readonly path: string;
  readonly label: string;
  readonly unless: string;
}

function rounds(
  { rows, asOf, next, total }: AttentionView,
  { path, label, unless }: ListTexts,
): Html {
  return html`${table({
    label,
    columns: [
      'since, UTC',
      'age',
      'state',
      '#at stake',
      'currency',
      'player',
      'round',
      'game',
      'proposal',
    ],
    groups: rows.length === 0 ? [] : [rows.map((row) => rowOf(row, asOf))],
    unless: total === 0 ? unless : 'Nothing further waits.',
  })}${next === null ? null : html`<p><a href="${linkTo(path, { after: next })}">Next page</a></p>`}`;
}

function rowOf(row: AttentionRow, asOf: string): readonly (Html | string)[] {
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
