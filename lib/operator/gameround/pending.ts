import type { ErrorCode } from '../../protocol/operator-api';
import { emptyPurse } from '../../protocol/money';
import {
  type HashEntry,
  type NewRecord,
  type PendingPost,
  type PendingWork,
  type RoundChange,
  type RoundHead,
  type RoundView,
  withRecord,
} from './round';
import { enter } from './verdict';

/**
 * What becomes of a round whose call with a pending debit was answered as unknown, or never
 * (D7): from the first pending debit on nothing is driven any further. The debits wait for their
 * void, and the round is `cancelled` until it comes; what came after them in the call is declined
 * (D4.5) and taken back, should its money have moved. What came before them stays pending (D4.6).
 * `isGivenUp` tells from which post on; the first debit unless set. Null where there is none.
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
    declined: null, // a debit came that was not declined (D4.5)
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

/** What is pending under a hash. */
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

/** The head of a round that waits for a void, and of what it goes back to after it. */
export function cancelledHead(
  head: RoundHead,
  { gameCode, now }: { readonly gameCode: string; readonly now: number },
): RoundHead {
  return {
    ...enter(head, 'cancelled', now),
    gameCode: head.gameCode ?? gameCode,
    resume: head.state === 'cancelled' ? head.resume : head.state,
  };
}

/** Pending work, or null where nothing is left of it. */
export function workOf(
  since: number,
  posts: readonly PendingPost[],
  reversals: readonly string[],
): PendingWork | null {
  return posts.length === 0 && reversals.length === 0 ? null : { since, posts, reversals };
}

/**
 * What becomes of the pending credits and ends of a round that is voided: they never happen, and
 * are known as refused by that (D4.1, D5.2), so that no other content can take their hash (D3.2).
 */
export function voidPending({ pending }: RoundHead): readonly NewRecord[] {
  return pending?.posts.map((post) => givenUp(post, 'GAMEROUNDVOIDED')) ?? [];
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
