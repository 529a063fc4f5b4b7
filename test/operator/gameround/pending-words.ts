import {
  type PendingPost,
  type PendingWork,
  type RoundHead,
  workOf,
} from '../../../lib/operator/gameround';
import { earlier, roundOf } from './rounds';
import { entryOf, transactionOf, wordsOf } from './words';

/**
 * The round of a name with what is pending: `credit B; debit A follow / X Y` has two posts, and the
 * money of X and Y to be taken back. A post may say `behind=A` (D5.3).
 */
export function headOf(round: string, work: string): RoundHead {
  const head = roundOf(round);
  const [posts = '', reversals = ''] = work.split('/');
  const cells = posts.split(';').map((cell) => cell.trim());
  const pending = workOf(
    earlier,
    cells.filter((cell) => cell !== '' && cell !== '-').map(postOf),
    wordsOf(reversals).list,
  );
  return { ...head, pending };
}

/** What is pending, in the words of {@link headOf}. */
export function wordsOfWork(work: PendingWork | null): string {
  if (work === null) return '-';
  const reversals = work.reversals.length === 0 ? '' : `/ ${work.reversals.join(' ')}`;
  return [wordsOfPosts(work.posts), reversals].filter((part) => part !== '').join(' ');
}

function wordsOfPosts(posts: readonly PendingPost[]): string {
  const words = posts.map(({ hash, record, behind }) => {
    const first = record.type === 'debit' ? (record.first ? ' first' : ' follow') : '';
    return `${record.type} ${hash}${first}${behind === null ? '' : ` behind=${behind}`}`;
  });
  return words.join('; ');
}

function postOf(cell: string): PendingPost {
  const { hash } = transactionOf(cell);
  const known = entryOf(`${cell.replace(` ${hash}`, '')} is=pending`)?.transaction;
  if (known === undefined) throw new Error(`no such transaction: ${cell}`);
  const behind = known.type === 'debit' ? null : (wordsOf(cell).named.get('behind') ?? null);
  // What a pending credit is to give is in its record.
  const amount = known.type === 'credit' ? known.amount : 0n;
  const record = known.type === 'credit' ? { ...known, purse: { real: amount, bonus: 0n } } : known;
  return { hash, record, bonusFirst: true, behind };
}
