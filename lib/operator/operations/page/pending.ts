import {
  ageOf,
  count,
  counted,
  type Html,
  html,
  id,
  stackedTable,
  type TableRow,
  verdict,
} from '../../../platform/html';
import type { PendingRow, PendingView } from '../view/waiting/pending';
import { inZone, type PageBody, type Reader } from './layout';
import { playerLink, roundLink } from './links';
import { notKnown } from './waiting';
import { amountsOf } from './words';

/** The rounds with work pending at the platform's own ledger. */
export function pendingPage(pending: PendingView | null, reader: Reader): PageBody {
  const title = 'Pending at the ledger';
  if (pending === null) {
    const nothing = {
      title: 'Nothing is pending at a ledger',
      text: 'This store keeps the money itself.',
    };
    return { title, body: verdict({ tone: 'note', ...nothing }) };
  }
  const { rows, asOf } = pending;
  const since = inZone('since', reader);
  return {
    title,
    below:
      'Rounds with postings that the ledger has not answered. The sweeper repeats credits and reversals until it does.',
    body: html`${pendingVerdict(pending)}${
      pending.total === 0
        ? null
        : stackedTable(
            'Rounds pending at the ledger, the oldest first',
            ['round', since, 'age', '#to post', '#to undo', '#amounts', 'player', 'game'],
            rows.map((row) => rowOf(row, asOf, reader)),
            'Nothing further is pending.',
          )
    }`,
  };
}

/** What is older than this in milliseconds should have been answered: docs/ledger.md says to watch it. */
const lateMs = 60_000;

/** How many rounds wait for the ledger, with what money and since when, and whether a person must act. */
function pendingVerdict({ rows, total, amounts, isWhole, oldest, asOf }: PendingView): Html {
  if (total === 0) {
    if (!isWhole) return notKnown('Whether something is pending is not known');
    const text = 'Nothing is to be posted or undone.';
    return verdict({ tone: 'good', title: 'The ledger has answered everything', text });
  }
  const rounds = `${isWhole ? '' : 'More than '}${counted(total, 'round')}`;
  const title = `${rounds} ${total === 1 && isWhole ? 'waits' : 'wait'} for an answer of the ledger`;
  const isAll = rows.length === total && isWhole;
  const posts = counted(rows.flatMap((row) => row.posts).length, 'posting');
  const undone = rows.flatMap(({ reversals }) => reversals).length;
  const sums = Object.entries(amounts).filter(([, sum]) => sum !== '0');
  const money = sums.length === 0 ? null : html` (${amountsOf(sums)})`;
  const of = isAll ? 'In them' : `In the ${count(rows.length)} that are shown`;
  const isLate = oldest !== null && Date.parse(asOf) - Date.parse(oldest) > lateMs;
  const age = oldest === null ? null : html` The oldest for ${ageOf(oldest, asOf)}.`;
  const next = isLate
    ? 'Look at the ledger: the log names each round that the sweeper could not finish.'
    : 'The sweeper finishes them: nobody need act.';
  const text = html`${of}: ${posts} to post${money}, ${count(undone)} to undo.${age} ${next}`;
  return verdict({ tone: isLate ? 'warn' : 'note', title, text });
}

function rowOf(row: PendingRow, asOf: string, { times }: Reader): TableRow {
  const { since, posts, reversals, amounts, gameCode } = row;
  return [
    roundLink(row),
    times.time(since),
    ageOf(since, asOf),
    `${posts.length}`,
    `${reversals.length}`,
    amountsOf(Object.entries(amounts)),
    playerLink(row),
    gameCode === null ? null : id(gameCode),
  ];
}
