import type { Debit } from '../protocol';
import { recordOf } from './debit';
import { cancelledHead, giveUpPending, knownOf } from './pending';
import type { HashEntry, NewRecord, RoundChange, RoundHead, RoundView } from './round';

/**
 * Marks a round whose call with these debits was answered 5xx: it is `cancelled` until each of
 * them is voided (D7). A debit that did not happen never will: it is recorded as unanswered, and
 * the new version makes a commit that is still under way stale. Null where nothing is to be
 * marked: every debit was voided, refused, or marked before.
 */
export function decideCancel(
  debits: readonly Debit[],
  view: RoundView,
  context: { readonly gameCode: string; readonly now: number },
): RoundChange | null {
  const before = view.head;
  if (before.state === 'voided') return null;
  const isPending = debits.some(({ hash }) => isPendingDebit(hash, before));
  const givenUp = isPending ? giveUpPending(before, context) : null;
  const head = givenUp?.after ?? before;
  const records = [...(givenUp?.records ?? [])];
  const marked = new Set(records.map(({ hash }) => hash));
  for (const debit of debits) {
    if (marked.has(debit.hash)) continue;
    const record = markDebit(debit, head, knownOf(view, debit.hash), context.now);
    if (record === null) continue;
    marked.add(debit.hash);
    records.push(record);
  }
  if (records.length === 0) return null;
  const alone = records.length - (givenUp?.records.length ?? 0);
  const after: RoundHead = {
    ...cancelledHead(head, context),
    version: before.version + 1,
    unanswered: head.unanswered + alone,
  };
  return { before, after, records, movements: [] };
}

function markDebit(
  debit: Debit,
  head: RoundHead,
  entry: HashEntry | undefined,
  now: number,
): NewRecord | null {
  if (entry?.void !== undefined) return null;
  const known = entry?.transaction;
  const { hash } = debit;
  if (known !== undefined) {
    if (known.type !== 'debit' || known.outcome !== 'accepted') return null;
    return { hash, record: { ...known, outcome: 'unanswered' } };
  }
  const first = debit.isFirstDebit ?? !head.started;
  const mayHaveCome = first ? head.state === 'none' : isRunning(head);
  return mayHaveCome ? { hash, record: recordOf(debit, first, 'unanswered', now) } : null;
}

function isPendingDebit(hash: string, { pending }: RoundHead): boolean {
  const posts = pending?.posts ?? [];
  return posts.some((post) => post.hash === hash && post.record.type === 'debit');
}

/** Whether a follow-up debit could still have come; the mark set twice must be the mark set once. */
function isRunning(head: RoundHead): boolean {
  return head.state === 'open' || (head.state === 'cancelled' && head.resume === 'open');
}
