import { html, table, type TableRow } from '../../../platform/html';
import type { PendingRow, PendingView } from '../view/pending';
import { ageOf, id, type PageBody, playerLink, roundLink, timeOf } from './layout';

/** The rounds with work pending at the platform's own ledger. */
export function pendingPage(pending: PendingView | null): PageBody {
  const title = 'Pending at the ledger';
  if (pending === null) {
    return {
      title,
      body: html`<p>This store keeps the money itself: nothing is pending at a ledger.</p>`,
    };
  }
  const { rows, asOf, total, isWhole } = pending;
  const [count, all] = [isWhole ? `${total}` : `more than ${total}`, rows.length === total];
  return {
    title,
    body: html`<p>Rounds with postings that the ledger has not answered. The sweeper repeats credits and reversals until it does; a person need not act, unless the ledger is down.</p>
${all && isWhole ? null : html`<p class="notice">${rows.length} of ${count} are shown.</p>`}
${table(
  'Rounds pending at the ledger, the oldest first, times in UTC',
  ['since, UTC', 'age', '#to post', '#to undo', 'amounts', 'player', 'round', 'game'],
  rows.map((row) => rowOf(row, asOf)),
  'Nothing is pending at the ledger.',
)}`,
  };
}

function rowOf(row: PendingRow, asOf: string): TableRow {
  const { since, posts, reversals, amounts, gameCode } = row;
  return [
    timeOf(since),
    ageOf(since, asOf),
    `${posts.length}`,
    `${reversals.length}`,
    Object.entries(amounts)
      .map(([currency, sum]) => `${sum} ${currency}`)
      .join(', '),
    playerLink(row),
    roundLink(row),
    gameCode === null ? null : id(gameCode),
  ];
}
