import {
  type NewRecord,
  noTexts,
  type PendingPost,
  type PendingWork,
  type RoundChange,
  type RoundHead,
  workOf,
} from '../gameround';
import { addPurses, isInRange, type Purse, subtractPurses } from '../../protocol/money';

/** Whether a change writes voids; then it moves no money on. A known void may be rewritten with any change. */
export function holdsVoids({ records }: RoundChange): boolean {
  return records.some(({ record, isRewritten }) => record.type === 'void' && !isRewritten);
}

/** Whether a change voids a round of which debits wait for their void, that may have been taken (D5.5). */
export function voidsUnanswered({ before, after }: RoundChange): boolean {
  return after.state === 'voided' && before.state !== 'voided' && before.unanswered > 0;
}

/** Whether a change marks debits that were answered as unknown (D7). */
export function holdsMarks({ records }: RoundChange): boolean {
  return records.some(
    ({ record, isRewritten }) =>
      record.type === 'debit' && record.outcome === 'unanswered' && !isRewritten,
  );
}

/** What is pending and not decided by this change. */
export function strangersTo({ before, records }: RoundChange): readonly PendingPost[] {
  const named = new Set(records.map(({ hash }) => hash));
  return before.pending?.posts.filter(({ hash }) => !named.has(hash)) ?? [];
}

/** Whether a debit is among them. */
export function holdsDebit(posts: readonly PendingPost[]): boolean {
  return posts.some(({ record }) => record.type === 'debit');
}

/**
 * What a change posts, in order: what it accepts, and what was pending and is not accepted any
 * more. What is pending stays as it was written down, so that all attempts say the same.
 */
export function postingsOf(change: RoundChange): readonly PendingPost[] {
  const known = new Map(change.before.pending?.posts.map((post) => [post.hash, post]));
  const behind = debitsBefore(change);
  return change.records.flatMap((item) => {
    if (item.isRewritten) return [];
    const post = knownPost(item, known) ?? newPost(item, change, behind.get(item.hash) ?? null);
    return post === null ? [] : [post];
  });
}

/** What is pending stays as it was written down, but for the calls that named it first since (D1.8). */
function knownPost(
  { hash, record }: NewRecord,
  known: ReadonlyMap<string, PendingPost>,
): PendingPost | null {
  const post = known.get(hash);
  if (post === undefined || post.record.fingerprints === record.fingerprints) return post ?? null;
  return { ...post, record: { ...post.record, fingerprints: record.fingerprints } };
}

function newPost(
  { hash, record }: NewRecord,
  { movements }: RoundChange,
  behind: string | null,
): PendingPost | null {
  if (record.type === 'void' || record.outcome !== 'accepted') return null;
  const take = movements.find((movement) => movement.kind === 'take' && movement.hash === hash);
  const bonusFirst = take?.kind === 'take' && take.bonusFirst;
  // What is behind a pending debit is noted by its post, until both are recorded.
  const own = record.type === 'debit' ? { ...record, behind: noTexts } : record;
  return { hash, record: { ...own, outcome: 'pending' }, bonusFirst, behind };
}

/** By hash of a credit or an end: the follow-up debit that it is behind (D5.3). */
function debitsBefore({ records }: RoundChange): ReadonlyMap<string, string> {
  const debits = new Map<string, string>();
  for (const { hash, record } of records) {
    if (record.type !== 'debit') continue;
    for (const behind of record.behind) debits.set(behind, hash);
  }
  return debits;
}

/** Whether a ledger is asked for it: a debit in any case, a credit of something, an end never. */
export function movesMoney({ record }: PendingPost): boolean {
  if (record.type !== 'credit') return record.type === 'debit';
  return record.purse.real !== 0n || record.purse.bonus !== 0n;
}

/** The hashes that a change accepts. */
export function acceptedBy({ records }: RoundChange): ReadonlySet<string> {
  const accepted = records.filter(
    ({ record }) => record.type !== 'void' && record.outcome === 'accepted',
  );
  return new Set(accepted.map(({ hash }) => hash));
}

/** The head with these postings pending beside what it has. */
export function headWith(
  change: RoundChange,
  posts: readonly PendingPost[],
  now: number,
): RoundHead {
  const { before, after } = change;
  const { since = now, reversals = [] }: Partial<PendingWork> = before.pending ?? {};
  return {
    ...before,
    version: before.version + 1,
    gameCode: before.gameCode ?? after.gameCode,
    pending: workOf(since, posts, reversals),
  };
}

/** The first movement that would lift a sum of the round out of the range that stores keep. */
export function outOfRange({ after, movements }: RoundChange): string | null {
  let taken = after.debits;
  for (const movement of movements) {
    if (movement.kind === 'take') {
      taken = { real: taken.real + movement.amount, bonus: taken.bonus };
    }
    if (!isInRange(taken) || !isInRange(after.credits)) return movement.hash;
  }
  return null;
}

/** What became of the postings of a change. */
export interface PostingOutcome {
  readonly posts: readonly PendingPost[];
  /** What each debit took, by hash. */
  readonly paid: ReadonlyMap<string, Purse>;
  /** Those that the change does not accept, and that are to be taken back. */
  readonly declined: readonly PendingPost[];
}

/**
 * The change as it is written once its postings are done: on the head as it is now, with what each
 * debit took, what each credit gave, and nothing pending any more but what is to be taken back.
 */
export function finishedChange(
  change: RoundChange,
  head: RoundHead,
  { posts, paid, declined }: PostingOutcome,
): RoundChange {
  let { debits, credits } = change.after;
  const given = new Map(posts.map(({ hash, record }) => [hash, record]));
  const records = change.records.map((item): NewRecord => {
    const { hash, record } = item;
    if (record.type === 'void' || record.outcome !== 'accepted' || item.isRewritten) return item;
    const pending = given.get(hash);
    if (record.type === 'debit') {
      const purse = paid.get(hash) ?? record.purse;
      debits = addPurses(debits, purse);
      return { hash, record: { ...record, purse } };
    }
    if (record.type === 'end' || pending?.type !== 'credit') return { hash, record };
    credits = addPurses(credits, subtractPurses(pending.purse, record.purse));
    return { hash, record: { ...record, purse: pending.purse } };
  });
  const { since = 0, reversals = [] }: Partial<PendingWork> = head.pending ?? {};
  const after: RoundHead = {
    ...change.after,
    version: head.version + 1,
    debits,
    credits,
    pending: workOf(since, [], [...reversals, ...declined.map(({ hash }) => hash)]),
  };
  return { before: head, after, records, movements: [] };
}
