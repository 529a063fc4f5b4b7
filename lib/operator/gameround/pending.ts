import type { ErrorCode } from '../../protocol/operator-api/catalogue';
import { emptyPurse } from '../../protocol/money/purse';
import { isRepairHash, isStuck, leaveRepair, withoutRepair } from './repair';
import type { HashEntry, PendingPost, PendingWork, RoundHead, RoundView } from './round';
import { type NewRecord, type RoundChange, withRecord } from './change';

/**
 * Gives up the pending work of a round whose call with a pending debit was answered as unknown, or never (D7).
 * Nothing from the first pending debit on is posted any more. The debits wait for their void, and the round is
 * `cancelled` until then. What followed them in the call is declined (D4.5), and taken back if its money has
 * moved. What came before them stays pending (D4.6). `isGivenUp` selects the first post to give up; the first
 * debit unless set. Null if there is no such post.
 */
export function giveUpPending(
  before: RoundHead,
  context: { readonly gameCode: string; readonly now: number },
  isGivenUp: (post: PendingPost) => boolean = ({ record }) => record.type === 'debit',
): RoundChange | null {
  const { pending } = before;
  const from = pending?.posts.findIndex(isGivenUp) ?? -1;
  if (pending === null || from < 0) return null;
  const given = pending.posts.slice(from);
  const unanswered = given.filter(({ record }) => record.type === 'debit').length;
  const declined = given.filter(({ record }) => record.type === 'credit');
  const after: RoundHead = {
    ...cancelledHead(before, context),
    version: before.version + 1,
    unanswered: before.unanswered + unanswered,
    declined: null, // a debit arrived that was not declined (D4.5)
    pending: workOf(pending.since, pending.posts.slice(0, from), [
      ...pending.reversals,
      ...declined.map(({ hash }) => hash),
    ]),
  };
  return {
    before,
    after,
    records: given.map((post) => givenUp(post, 'DEBITFAILEDBEFORE')),
    movements: [],
  };
}

/** The pending post of a hash. */
export function pendingPostOf({ pending }: RoundHead, hash: string): PendingPost | undefined {
  return pending?.posts.find((post) => post.hash === hash);
}

/**
 * What is known of a hash, recorded or pending. Pending content is final: every call with this
 * hash, including the one that wrote it, is compared with it (D3.2).
 */
export function knownOf({ head, entries }: RoundView, hash: string): HashEntry | undefined {
  const entry = entries.get(hash);
  const post = pendingPostOf(head, hash);
  return post === undefined ? entry : withRecord(entry, post.record);
}

/**
 * The head of a round that waits for a void; `resume` is what it returns to. One that was stranded or crashed
 * needs a person since then, and what a repair closed is closed again after the void (D11.4).
 */
export function cancelledHead(
  head: RoundHead,
  { gameCode, now }: { readonly gameCode: string; readonly now: number },
): RoundHead {
  const bare = withoutRepair(head);
  const isAgain = bare.state === 'cancelled';
  const resume = isAgain ? head.resume : bare.state;
  const isKnown = head.state === 'cancelled' || isStuck(resume);
  return {
    ...(isAgain && bare !== head ? leaveRepair(head) : head),
    state: 'cancelled',
    changedAt: isKnown ? bare.changedAt : now,
    gameCode: head.gameCode ?? gameCode,
    resume,
  };
}

/** Pending work, or null if none is left. */
export function workOf(
  since: number,
  posts: readonly PendingPost[],
  reversals: readonly string[],
): PendingWork | null {
  return posts.length === 0 && reversals.length === 0 ? null : { since, posts, reversals };
}

/**
 * What happens to the pending credits and ends of a voided round: they are recorded as refused for that
 * reason and never happen (D4.1, D5.2), so that no other content can take their hash (D3.2).
 */
export function voidPending({ pending }: RoundHead): readonly NewRecord[] {
  const posts = pending?.posts.filter(({ hash }) => !isRepairHash(hash)) ?? [];
  return posts.map((post) => givenUp(post, 'GAMEROUNDVOIDED'));
}

function givenUp({ hash, record }: PendingPost, code: ErrorCode): NewRecord {
  switch (record.type) {
    case 'debit':
      return { hash, record: { ...record, outcome: 'unanswered' } };
    case 'credit':
      return { hash, record: { ...record, outcome: code, purse: emptyPurse } };
    case 'end':
      return { hash, record: { ...record, outcome: code } };
  }
}
