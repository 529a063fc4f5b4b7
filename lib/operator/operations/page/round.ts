import {
  facts,
  groupedTable,
  type Html,
  html,
  section,
  table,
  type TableRow,
} from '../../../platform/html';
import type { RoundJson } from '../../wallet';
import { lacksBalances, type TimelineEntry, type TimelineLine, timelineOf } from './timeline';
import { given, id, type PageBody, playerLink, purse, timeOf, nameOfState } from './layout';
import { type RepairActions, repairsOfRound } from './repairs';

/** A round: what it is now, and its timeline, the oldest first. */
export function roundPage(round: RoundJson, actions: RepairActions): PageBody {
  const { operatorId, gameRound, gameCode, state, stateSince, declined, unanswered } = round;
  const currency = round.currency ?? '';
  return {
    title: `Round ${gameRound}`,
    body: html`${facts([
      ['state', html`${nameOfState(state)}, since ${timeOf(stateSince)} UTC`],
      ['player', playerLink(round)],
      ['operator', id(operatorId)],
      ['game', gameCode === null ? 'none' : id(gameCode)],
      ['taken from the player', html`${purse(round.debits)} ${currency}`],
      ['given to the player', given(round, currency === '' ? '' : ` ${currency}`)],
      ['debits that wait for their void', unanswered],
      ...(declined === null ? [] : ([['credits are declined because of', id(declined)]] as const)),
    ])}
${pendingOf(round)}
${repairsOfRound(round, actions)}
${section('timeline', 'Timeline', timeline(round))}
${section('record', 'Record', html`<details><summary>The whole round, as the store has it</summary><pre tabindex="0">${JSON.stringify(round, null, 2)}</pre></details>`)}`,
  };
}

function pendingOf({ pending }: RoundJson): Html | null {
  if (pending === null) return null;
  const { since, posts, reversals } = pending;
  const rows = [
    ...posts.map((hash) => ['to post', hash] as const),
    ...reversals.map((hash) => ['to reverse', hash] as const),
  ].map(([what, hash]) => [what, id(hash)]);
  return section(
    'pending',
    "Pending at the platform's ledger",
    html`<p>Since ${timeOf(since)} UTC. The sweeper tries it again.</p>${table("Pending at the platform's ledger", ['what', 'hash'], rows, 'Nothing.')}`,
  );
}

/** A call, or an act of a person, is one group. */
function timeline(round: RoundJson): Html {
  const entries = timelineOf(round);
  const drawn = groupedTable(
    'Timeline, the oldest first, times in UTC',
    [
      'time, UTC',
      'by',
      'what',
      '#amount',
      'currency',
      'outcome',
      '#moved',
      '#balance after',
      'hash',
      'note',
    ],
    entries.map((entry) => entry.lines.map((line, at) => rowOf(entry, line, at === 0))),
    'No transaction is recorded.',
  );
  if (!lacksBalances(round, entries)) return drawn;
  return html`${drawn}<p class="dim">Balances after each line are not kept: the store was made without its option <code>history</code> (<code>serve --history</code>), or the round is from before.</p>`;
}

/** The balance after a line; with its currency if the line has another or none. */
function balanceOf({ balance, currency }: TimelineLine): Html | null {
  if (balance === null) return null;
  const { real, bonus } = balance;
  const amount = purse({ real, bonus: bonus ?? '0' });
  return balance.currency === currency ? amount : html`${amount} ${balance.currency}`;
}

function rowOf({ at, by }: TimelineEntry, line: TimelineLine, isFirst: boolean): TableRow {
  const { what, kind, amount, currency, outcome, discount, serial, moved, hash, note } = line;
  return [
    isFirst ? timeOf(at) : null,
    isFirst ? (by === null ? 'RGS' : id(by.name ?? by.id)) : null,
    kind === null ? what : html`${what} <span class="dim">(${kind})</span>`,
    amount,
    currency,
    html`${outcome}${discount === null ? null : html` <span class="dim">discount ${discount}</span>`}${serial === null ? null : html` <span class="dim">serial ${id(serial)}</span>`}`,
    moved === null ? null : purse(moved),
    balanceOf(line),
    hash === null ? null : id(hash),
    note === null ? null : id(note),
  ];
}
