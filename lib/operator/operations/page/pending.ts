import {
  ageOf,
  count,
  empty,
  html,
  id,
  money,
  stackedTable,
  type TableRow,
} from '../../../platform/html';
import type { PendingRow, PendingView } from '../view/waiting/pending';
import type { PageBody, Reader } from './layout';
import { playerLink, roundLink } from './links';

/** The rounds with work pending at the platform's own ledger. */
export function pendingPage(pending: PendingView | null, reader: Reader): PageBody {
  const title = 'Pending at the ledger';
  if (pending === null) {
    return {
      title,
      body: empty('This store keeps the money itself', 'Nothing is pending at a ledger.'),
    };
  }
  const { rows, asOf, total, isWhole } = pending;
  const all = isWhole ? count(total) : `more than ${count(total)}`;
  const isAll = rows.length === total && isWhole;
  return {
    title,
    below:
      'Rounds with postings that the ledger has not answered. The sweeper repeats credits and reversals until it does; a person need not act, unless the ledger is down.',
    body: html`${isAll ? null : html`<p class="notice warn">${rows.length} of ${all} are shown.</p>`}${stackedTable(
      `Rounds pending at the ledger, the oldest first, times in ${reader.times.zone}`,
      ['round', 'since', 'age', '#to post', '#to undo', '#amounts', 'player', 'game'],
      rows.map((row) => rowOf(row, asOf, reader)),
      'Nothing is pending at the ledger.',
    )}`,
  };
}

function rowOf(row: PendingRow, asOf: string, { times }: Reader): TableRow {
  const { since, posts, reversals, amounts, gameCode } = row;
  return [
    roundLink(row),
    times.time(since),
    ageOf(since, asOf),
    `${posts.length}`,
    `${reversals.length}`,
    Object.entries(amounts).map(
      ([currency, sum], at) => html`${at === 0 ? '' : ', '}${money(sum, currency)}`,
    ),
    playerLink(row),
    gameCode === null ? null : id(gameCode),
  ];
}
